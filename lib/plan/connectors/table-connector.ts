import type { Row } from "../schema.js";

interface InlineTableConnector {
  readonly kind: "table";
  readonly rows: readonly Row[];
}

interface S3TableConnector {
  readonly kind: "s3";
  readonly key: string;
  /** The deployment's own bucket by default. */
  readonly bucket?: string;
}

interface DynamoDbTableConnector {
  readonly kind: "dynamodb";
  readonly table: string;
}

/** Where the rows of a fixed table stand: in the plan itself, or where they are read whole once per cold start. */
export type TableConnector = InlineTableConnector | StoredTableConnector;
export type StoredTableConnector = S3TableConnector | DynamoDbTableConnector;
