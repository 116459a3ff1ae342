import { randomUUID } from "node:crypto";
import { md5Hex } from "./checksums.js";
import { S3Error } from "./s3-error.js";

interface Part {
  readonly body: Buffer;
  readonly etag: string;
}

interface Upload {
  readonly bucket: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: Map<number, Part>;
}

interface CompletedUpload {
  readonly body: Buffer;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Uploads in parts. They are not journaled: a restart forgets the unfinished ones. */
export interface MultipartUploads {
  begin(bucket: string, key: string, headers: Readonly<Record<string, string>>): string;
  /** Returns the part's etag. */
  put(uploadId: string, partNumber: number, body: Buffer): string;
  assemble(uploadId: string, partNumbers: readonly number[]): CompletedUpload;
  forget(uploadId: string): void;
}

export function createMultipartUploads(): MultipartUploads {
  const uploads = new Map<string, Upload>();
  const find = (uploadId: string): Upload => {
    const upload = uploads.get(uploadId);
    if (!upload) throw new S3Error(404, "NoSuchUpload", "The specified upload does not exist.");
    return upload;
  };
  return {
    begin(bucket, key, headers) {
      const uploadId = randomUUID();
      uploads.set(uploadId, { bucket, key, headers, parts: new Map() });
      return uploadId;
    },
    put(uploadId, partNumber, body) {
      const etag = md5Hex(body);
      find(uploadId).parts.set(partNumber, { body, etag });
      return etag;
    },
    assemble(uploadId, partNumbers) {
      const upload = find(uploadId);
      const parts = partNumbers.map((number) => {
        const part = upload.parts.get(number);
        if (!part) throw new S3Error(400, "InvalidPart", "One or more of the specified parts could not be found.");
        return part;
      });
      const etags = Buffer.concat(parts.map((part) => Buffer.from(part.etag, "hex")));
      return {
        body: Buffer.concat(parts.map((part) => part.body)),
        etag: `${md5Hex(etags)}-${parts.length}`,
        headers: upload.headers,
      };
    },
    forget: (uploadId) => void uploads.delete(uploadId),
  };
}
