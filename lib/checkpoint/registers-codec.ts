import type { Registers } from "./registers.js";

/**
 * Since codec version 2 of entries and manifests registers may name retired shards. Code before it would count their records anew, so
 * it must refuse to read on; where none is named, version 1 says all there is, and a rollback stays possible.
 */
export const registersVersion = ({ retired }: Registers): 1 | 2 => (Object.keys(retired).length === 0 ? 1 : 2);

export type StoredRegisters = Omit<Registers, "retired"> & Partial<Pick<Registers, "retired">>;

export const toStored = (registers: Registers): StoredRegisters => {
  const { retired, ...others } = registers;
  return registersVersion(registers) === 1 ? others : { ...others, retired };
};

export const fromStored = (stored: StoredRegisters): Registers => ({ ...stored, retired: stored.retired ?? {} });
