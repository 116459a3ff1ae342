import type { OutputMode } from "../logical-plan.js";
import type { SinkConnector } from "./sink-connector.js";
import type { SourceConnector } from "./source-connector.js";
import type { TableConnector } from "./table-connector.js";

interface Traits<Connector> {
  /** The option that names what it reads or writes; null where there is nothing to name. */
  readonly namedBy: OptionName<Connector> | null;
  /** What the query's function must be permitted to do to what `namedBy` names. */
  readonly grants: readonly `${string}:${string}`[];
  /** Every option that it takes, and whether it must be given. */
  readonly options: {
    readonly [Name in OptionName<Connector>]: Partial<Pick<Connector, Name>> extends Pick<Connector, Name>
      ? "optional"
      : "required";
  };
}

type OptionName<Connector> = Exclude<keyof Connector, "kind"> & string;

interface SourceTraits<Connector> extends Traits<Connector> {
  /** Its records carry the time at which they arrived. */
  readonly arrivals: boolean;
  /** Its shards can be asked for, and probed by ticks. */
  readonly listsShards: boolean;
  /** A Lambda function can read it. */
  readonly deployable: boolean;
  /** One reader at a time reads a shard, in order: the query may have several state partitions (docs/partitions.md). */
  readonly partitionable: boolean;
  /** What comes again where a part of a batch is left: the records from the first one left, or those of each partition from its own. */
  readonly redelivers: "from-first-left" | "by-partition";
}

interface SinkTraits<Connector> extends Traits<Connector> {
  readonly outputModes: readonly OutputMode[];
  /** Where late rows and malformed records go: to the same sink, or to the deployment's bucket. */
  readonly sideOutputs: "same-sink" | "bucket";
  /** A Lambda function can write to it. */
  readonly deployable: boolean;
}

type ByKind<Connector extends { readonly kind: string }> = {
  readonly [Kind in Connector["kind"]]: Extract<Connector, { readonly kind: Kind }>;
};
type SourceCatalogue = { readonly [Kind in SourceConnector["kind"]]: SourceTraits<ByKind<SourceConnector>[Kind]> };
type SinkCatalogue = { readonly [Kind in SinkConnector["kind"]]: SinkTraits<ByKind<SinkConnector>[Kind]> };
type TableCatalogue = { readonly [Kind in TableConnector["kind"]]: Traits<ByKind<TableConnector>[Kind]> };

const WATERMARK_OPTIONS = { across: "optional", idleTimeout: "optional", maxFutureSkew: "optional" } as const;
const SOURCE_OPTIONS = { name: "optional", validate: "optional", decode: "optional", metadata: "optional" } as const;

/** What a process reads by itself: no service names it, and no Lambda function is given it. */
const LOCAL = {
  namedBy: null,
  arrivals: false,
  listsShards: false,
  deployable: false,
  partitionable: true,
  redelivers: "from-first-left",
  grants: [],
} as const;

/** What each source is. Who needs to know asks here; a new kind is asked for by the compiler (docs/add-a-connector.md). */
export const SOURCES = {
  kinesis: {
    namedBy: "stream",
    arrivals: true,
    listsShards: true,
    deployable: true,
    partitionable: true,
    redelivers: "from-first-left",
    grants: [
      "kinesis:DescribeStream",
      "kinesis:DescribeStreamSummary",
      "kinesis:GetRecords",
      "kinesis:GetShardIterator",
      "kinesis:ListShards",
    ],
    options: { ...SOURCE_OPTIONS, ...WATERMARK_OPTIONS, stream: "required" },
  },
  kafka: {
    namedBy: "topic",
    arrivals: true,
    listsShards: true,
    deployable: true,
    partitionable: false,
    redelivers: "by-partition",
    grants: [],
    options: {
      ...SOURCE_OPTIONS,
      ...WATERMARK_OPTIONS,
      topic: "required",
      partitions: "optional",
      bootstrapServers: "optional",
    },
  },
  files: {
    ...LOCAL,
    options: { ...SOURCE_OPTIONS, paths: "optional", options: "optional" },
  },
  memory: {
    ...LOCAL,
    options: { ...SOURCE_OPTIONS, ...WATERMARK_OPTIONS },
  },
} as const satisfies SourceCatalogue;

/** What each sink is. */
export const SINKS = {
  s3: {
    namedBy: "bucket",
    outputModes: ["append"],
    sideOutputs: "same-sink",
    deployable: true,
    grants: ["s3:PutObject"],
    options: { prefix: "optional", bucket: "optional", format: "optional" },
  },
  kinesis: {
    namedBy: "stream",
    outputModes: ["append", "update"],
    sideOutputs: "bucket",
    deployable: true,
    grants: ["kinesis:PutRecords"],
    options: { stream: "required", partitionKey: "required" },
  },
  dynamodb: {
    namedBy: "table",
    outputModes: ["append", "update", "complete"],
    sideOutputs: "bucket",
    deployable: true,
    grants: ["dynamodb:PutItem"],
    options: { table: "required", key: "required" },
  },
  delta: {
    namedBy: "path",
    outputModes: ["append", "update", "complete"],
    sideOutputs: "bucket",
    deployable: true,
    grants: ["s3:GetObject", "s3:PutObject"],
    options: {
      path: "required",
      bucket: "optional",
      partitionBy: "optional",
      key: "optional",
      mergeSchema: "optional",
    },
  },
  console: {
    namedBy: null,
    outputModes: ["append", "update", "complete"],
    sideOutputs: "same-sink",
    deployable: true,
    grants: [],
    options: {},
  },
  memory: {
    namedBy: null,
    outputModes: ["append", "update", "complete"],
    sideOutputs: "same-sink",
    deployable: false,
    grants: [],
    options: { name: "optional" },
  },
  foreachBatch: {
    namedBy: null,
    outputModes: ["append", "update", "complete"],
    sideOutputs: "bucket",
    deployable: true,
    grants: [],
    options: { handler: "required", maxRowsPerCall: "optional" },
  },
} as const satisfies SinkCatalogue;

/** What each place of a fixed table is. */
export const TABLES = {
  table: { namedBy: null, grants: [], options: { rows: "required" } },
  s3: { namedBy: "key", grants: ["s3:GetObject"], options: { key: "required", bucket: "optional" } },
  dynamodb: { namedBy: "table", grants: ["dynamodb:Scan"], options: { table: "required" } },
} as const satisfies TableCatalogue;

/** The connectors of a catalogue that have a trait. */
type Having<Catalogue, Connector extends { readonly kind: string }, Trait extends string> = Extract<
  Connector,
  {
    readonly kind: { [K in keyof Catalogue]: Catalogue[K] extends { [T in Trait]: true } ? K : never }[keyof Catalogue];
  }
>;

export type DeployableSource = Having<typeof SOURCES, SourceConnector, "deployable">;
export type ListedSource = Having<typeof SOURCES, SourceConnector, "listsShards">;

/** A topic's partitions are known where the query says how many there are. */
export const listsShards = (source: SourceConnector): source is ListedSource =>
  SOURCES[source.kind].listsShards && (source.kind !== "kafka" || source.partitions !== undefined);

/** The stream, topic, table or bucket that it names, if it names one. */
export function nameOf(source: SourceConnector): string | undefined {
  const { namedBy } = SOURCES[source.kind];
  return Object.entries(source).find(([option]) => option === namedBy)?.[1];
}

interface Written {
  readonly sink: SinkConnector;
  readonly sinks?: Readonly<Record<string, SinkConnector>>;
}

/** Every sink that the results go to, the one with the side outputs first. */
export const sinksOf = ({ sink, sinks }: Written): readonly SinkConnector[] =>
  sinks === undefined ? [sink] : Object.values(sinks);
