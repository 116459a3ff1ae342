import { startKinesisEmulator } from "../../../lib/local/kinesis-emulator/kinesis-emulator.js";
import { startS3Emulator } from "../../../lib/local/s3-emulator/s3-emulator.js";

/** Starts journaled emulators inside the process that a test will kill. */
export const handler = async ({ directory }: { readonly directory: string }) => {
  const kinesis = await startKinesisEmulator({ journalPath: `${directory}/kinesis.log` });
  const s3 = await startS3Emulator({ journalPath: `${directory}/s3.log` });
  return { kinesis: kinesis.endpoint, dynamodb: "http://127.0.0.1:1", s3: s3.endpoint };
};
