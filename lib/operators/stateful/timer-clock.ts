import { LAST_WATERMARK } from "../../time/event-time.js";
import type { PassContext } from "../operator.js";

/** Epoch ms up to which timers and timeouts are due in a pass. A drain waits for neither clock. */
export const timerClock = (timeMode: "none" | "eventTime" | "processingTime", pass: PassContext): number => {
  if (pass.drains === true) return LAST_WATERMARK;
  return timeMode === "eventTime" ? pass.watermarkForEviction : pass.processingTime;
};
