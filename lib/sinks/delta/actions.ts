/** The actions of Delta's transaction log that are read or written here (Delta protocol, "Actions"). */
export interface Protocol {
  readonly minReaderVersion: number;
  readonly minWriterVersion: number;
  readonly readerFeatures?: readonly string[];
  readonly writerFeatures?: readonly string[];
}

export interface MetaData {
  readonly id: string;
  readonly format: { readonly provider: string; readonly options: Readonly<Record<string, string>> };
  /** A Delta struct type as JSON text. */
  readonly schemaString: string;
  readonly partitionColumns: readonly string[];
  readonly configuration: Readonly<Record<string, string>>;
  readonly createdTime?: number;
}

export interface AddFile {
  /** Relative to the table, URI-encoded. */
  readonly path: string;
  readonly partitionValues: Readonly<Record<string, string | null>>;
  readonly size: number;
  readonly modificationTime: number;
  readonly dataChange: boolean;
  /** JSON text. */
  readonly stats?: string;
  readonly deletionVector?: unknown;
}

interface RemoveFile {
  readonly path: string;
  readonly deletionTimestamp: number;
  readonly dataChange: boolean;
  readonly partitionValues: Readonly<Record<string, string | null>>;
  readonly size: number;
}

/** The highest version of an application that is in the table: what makes a repeat a no-op. */
export interface Txn {
  readonly appId: string;
  readonly version: number;
  readonly lastUpdated?: number;
}

/** One line of a log file; unknown actions are passed over, as the protocol asks. */
export type LogLine = Partial<{
  readonly protocol: Protocol;
  readonly metaData: MetaData;
  readonly add: AddFile;
  readonly remove: RemoveFile;
  readonly txn: Txn;
  readonly commitInfo: Readonly<Record<string, unknown>>;
}>;
