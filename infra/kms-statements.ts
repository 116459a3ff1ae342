import * as iam from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";

/** Of adopted streams, tables and buckets with a customer's key: what is encrypted by it is read, or also written. */
export function kmsStatements(read: readonly (IKey | undefined)[], written: readonly (IKey | undefined)[]) {
  const statement = (actions: readonly string[], keys: readonly (IKey | undefined)[]) => {
    const resources = [...new Set(keys.flatMap((key) => key?.keyArn ?? []))];
    return resources.length === 0 ? [] : [new iam.PolicyStatement({ actions: [...actions], resources })];
  };
  return [
    ...statement(["kms:Decrypt"], read),
    ...statement(["kms:Decrypt", "kms:GenerateDataKey", "kms:DescribeKey"], written),
  ];
}
