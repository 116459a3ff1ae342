import { AsyncLocalStorage } from "node:async_hooks";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { UploadGuard } from "./checkpoint-log.js";
import { isStale } from "./upload-guard.js";

/** Not sent, this time: an earlier sending of the same command may still have been applied. */
export class StaleUploads extends Error {
  constructor() {
    super("The uploads that the write names are too old for it to be sent.");
    this.name = "StaleUploads";
  }
}

type Guarded = <T>(guard: UploadGuard, send: () => Promise<T>) => Promise<T>;

/**
 * Rule 5 where no retry can pass it by: in the client's signer, which signs every sending anew. `now` is read once per
 * sending, checked, and becomes the signing date with no await in between, so a frozen process cannot slip in.
 */
export function guardUploads(client: DynamoDBClient, now: () => number): Guarded {
  const guards = new AsyncLocalStorage<UploadGuard>();
  const { config } = client;
  const innerSigner = config.signer;
  config.signer = async (scheme) => {
    const inner = await innerSigner(scheme);
    return {
      sign(request, options) {
        const guard = guards.getStore();
        if (guard === undefined || guard.oldestUpload === null) return inner.sign(request, options);
        const at = now();
        if (isStale(guard, at)) throw new StaleUploads();
        return inner.sign(request, { ...options, signingDate: new Date(at + config.systemClockOffset) });
      },
    };
  };
  return (guard, send) => guards.run(guard, send);
}
