import { Duration, RemovalPolicy } from "aws-cdk-lib";
import * as dynamodb from "aws-cdk-lib/aws-dynamodb";
import * as s3 from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { acknowledge } from "./acknowledge.js";

export interface QueryStorageProps {
  /** Adopt a table with string keys `pk` and `sk` instead of creating one. */
  readonly table?: dynamodb.ITable;
  /** Adopt a bucket. No lifecycle rule of it may ever touch the checkpoint prefix (protocol rule 10). */
  readonly bucket?: s3.IBucket;
  /**
   * Keep table and bucket when the stack goes, and refuse to delete the table by hand. Default true. False removes both with the
   * stack, the bucket only once it is empty: nothing here may delete results by itself.
   */
  readonly retain?: boolean;
  /** Days after which late and malformed rows are deleted; default: never. */
  readonly sideOutputRetention?: Duration;
  /** The prefixes of the side outputs that `sideOutputRetention` is for. */
  readonly sideOutputPrefixes?: readonly string[];
}

/** Where queries keep their checkpoint (table, and objects for what is large) and write their results (bucket). May be shared by several queries. */
export class QueryStorage extends Construct {
  readonly table: dynamodb.ITable;
  readonly bucket: s3.IBucket;

  constructor(scope: Construct, id: string, props: QueryStorageProps = {}) {
    super(scope, id);
    const retain = props.retain ?? true;
    this.table = props.table ?? this.createTable(retain);
    this.bucket = props.bucket ?? this.createBucket(retain, props);
  }

  private createTable(retain: boolean): dynamodb.ITable {
    return new dynamodb.Table(this, "Checkpoint", {
      partitionKey: { name: "pk", type: dynamodb.AttributeType.STRING },
      sortKey: { name: "sk", type: dynamodb.AttributeType.STRING },
      billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: retain,
      removalPolicy: retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }

  private createBucket(retain: boolean, props: QueryStorageProps): s3.IBucket {
    const sideOutputs =
      props.sideOutputRetention === undefined
        ? []
        : (props.sideOutputPrefixes ?? []).map((prefix) => ({ prefix, expiration: props.sideOutputRetention! }));
    const bucket = new s3.Bucket(this, "Output", {
      encryption: s3.BucketEncryption.S3_MANAGED,
      blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      removalPolicy: retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(7) }, ...sideOutputs],
    });
    acknowledge(bucket, "S1", "Access logs need a bucket of the account's; adopt a bucket that has them.");
    return bucket;
  }
}
