/** An error as S3 answers it. */
export class S3Error extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const noSuchKey = (): S3Error => new S3Error(404, "NoSuchKey", "The specified key does not exist.");
export const preconditionFailed = (): S3Error =>
  new S3Error(412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold");
