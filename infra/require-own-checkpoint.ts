import { Token } from "aws-cdk-lib";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import type { IConstruct } from "constructs";
import { userError } from "../lib/errors.js";

/** What of a deployed query says where its checkpoint is. */
export interface Checkpointed {
  readonly queryName: string;
  readonly table: ITable;
}

const deployed = new WeakMap<IConstruct, readonly Checkpointed[]>();

/**
 * Two queries of one name on one table would be one query, whose code changes back and forth.
 * @throws `query-name-taken`
 */
export function requireOwnCheckpoint(root: IConstruct, own: Checkpointed): void {
  const others = deployed.get(root) ?? [];
  if (others.some(({ queryName, table }) => queryName === own.queryName && isSame(table, own.table)))
    throw userError(
      "query-name-taken",
      `Two queries named '${own.queryName}' would keep their checkpoint in one table.`,
      "Give each its own queryName, or its own storage.",
    );
  deployed.set(root, [...others, own]);
}

const isSame = (a: ITable, b: ITable): boolean =>
  a === b || (!Token.isUnresolved(a.tableName) && a.tableName === b.tableName);
