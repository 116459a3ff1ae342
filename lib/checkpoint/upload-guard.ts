import type { UploadGuard } from "./checkpoint-log.js";

/** Rule 5. With the 15 minutes that a signature lives, an upload is applied well within the sweeper's 48 hours. */
const MAX_UPLOAD_AGE_MS = 15 * 60_000;

export const isStale = (guard: UploadGuard, now: number): boolean =>
  guard.oldestUpload !== null && now - guard.oldestUpload > MAX_UPLOAD_AGE_MS;
