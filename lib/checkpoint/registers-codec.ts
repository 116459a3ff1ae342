import type { Registers } from "./registers.js";

/**
 * Since codec version 2 of entries and manifests registers may name retired shards, since version 4 positions in rings (version 3 is of
 * an entry's output). Code before would count the records of either anew, so it must refuse to read on; where none is named, the lower
 * version says all there is, and a rollback stays possible.
 */
export const registersVersion = ({ retired, rings }: Registers): 1 | 2 | 4 =>
  !isEmpty(rings) ? 4 : !isEmpty(retired) ? 2 : 1;

export const NEWEST_REGISTERS_VERSION = 4;

type Added = "retired" | "rings";

export type StoredRegisters = Omit<Registers, Added> & Partial<Pick<Registers, Added>>;

export const toStored = (registers: Registers): StoredRegisters => {
  const { retired, rings, ...others } = registers;
  return { ...others, ...(isEmpty(retired) ? {} : { retired }), ...(isEmpty(rings) ? {} : { rings }) };
};

export const fromStored = (stored: StoredRegisters): Registers => ({
  ...stored,
  retired: stored.retired ?? {},
  rings: stored.rings ?? {},
});

const isEmpty = (record: object): boolean => Object.keys(record).length === 0;
