import { RemovalPolicy } from "aws-cdk-lib";
import * as dynamodb from "aws-cdk-lib/aws-dynamodb";
import type * as iam from "aws-cdk-lib/aws-iam";
import * as kinesis from "aws-cdk-lib/aws-kinesis";
import { Construct } from "constructs";
import type {
  DynamoDbSinkConnector,
  KinesisSinkConnector,
  SinkConnector,
} from "../lib/plan/connectors/sink-connector.js";
import type { DataType, Schema } from "../lib/plan/schema.js";
import { sinkStreamStatement, sinkTableStatement } from "./grants.js";

export interface ResultTargetProps {
  readonly sink: SinkConnector;
  /** Of the results: it says whether a key column is a number or a text. */
  readonly schema: Schema;
  readonly retain: boolean;
  /** Adopted instead of created. */
  readonly table?: dynamodb.ITable;
  readonly stream?: kinesis.IStream;
}

/** The table of a sink `dynamodb()` or the stream of a sink `kinesis()`, created or adopted; nothing for the other sinks. */
export class ResultTarget extends Construct {
  readonly table: dynamodb.ITable | undefined;
  readonly stream: kinesis.IStream | undefined;
  /** What the query's function may do to it. */
  readonly statements: readonly iam.PolicyStatement[];

  constructor(scope: Construct, id: string, props: ResultTargetProps) {
    super(scope, id);
    const { sink } = props;
    switch (sink.kind) {
      case "dynamodb":
        this.table = props.table ?? this.createTable(sink, props);
        this.statements = [sinkTableStatement(this.table)];
        break;
      case "kinesis":
        this.stream = props.stream ?? this.createStream(sink, props);
        this.statements = [sinkStreamStatement(this.stream)];
        break;
      case "s3":
      case "delta":
      case "foreachBatch":
      case "console":
      case "memory":
        this.statements = [];
    }
  }

  private createTable(sink: DynamoDbSinkConnector, { schema, retain }: ResultTargetProps): dynamodb.ITable {
    const [partition, sort] = sink.key;
    const attribute = (name: string): dynamodb.Attribute => ({ name, type: attributeType(schema, name) });
    return new dynamodb.Table(this, "Table", {
      tableName: sink.table,
      partitionKey: attribute(partition),
      ...(sort === undefined ? {} : { sortKey: attribute(sort) }),
      billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: retain,
      removalPolicy: removal(retain),
    });
  }

  private createStream(sink: KinesisSinkConnector, { retain }: ResultTargetProps): kinesis.IStream {
    return new kinesis.Stream(this, "Stream", {
      streamName: sink.stream,
      streamMode: kinesis.StreamMode.ON_DEMAND,
      encryption: kinesis.StreamEncryption.MANAGED,
      removalPolicy: removal(retain),
    });
  }
}

const removal = (retain: boolean): RemovalPolicy => (retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY);

const NUMBERS: ReadonlySet<DataType> = new Set(["long", "int", "double"]);

/** As the sink writes keys: numbers as numbers, everything else as text. */
const attributeType = ({ fields }: Schema, name: string): dynamodb.AttributeType =>
  NUMBERS.has(fields.find((field) => field.name === name)?.type ?? "string")
    ? dynamodb.AttributeType.NUMBER
    : dynamodb.AttributeType.STRING;
