import { Stack, Validations } from "aws-cdk-lib";
import type * as iam from "aws-cdk-lib/aws-iam";
import type { IConstruct } from "constructs";

/** Findings of cdk-nag that are meant, each with its reason: https://github.com/cdklabs/cdk-nag. */
export const acknowledge = (construct: IConstruct, rule: string, reason: string): void =>
  Validations.of(construct).acknowledge({ id: `AwsSolutions-${rule}`, reason });

/** Grants on object keys end in a wildcard, one per folder of the query: keys hold batch ids, which nobody knows beforehand. */
export function acknowledgeFolders(grantee: IConstruct, statements: readonly iam.PolicyStatement[]): void {
  const stack = Stack.of(grantee);
  for (const resource of statements.flatMap(({ resources }) => resources)) {
    const arn = flatten(stack.resolve(resource));
    if (arn.endsWith("/*"))
      acknowledge(grantee, `IAM5[Resource::${arn}]`, "Objects of this query's own folder; their keys hold batch ids.");
  }
}

type Intrinsic = string | { readonly [name: string]: unknown };

/** As cdk-nag writes a reference: `<LogicalId.Arn>`. */
function flatten(value: Intrinsic): string {
  if (typeof value === "string") return value;
  const { Ref, "Fn::GetAtt": attribute, "Fn::Join": join } = value;
  if (typeof Ref === "string") return `<${Ref}>`;
  if (Array.isArray(attribute)) return `<${attribute.join(".")}>`;
  const [separator, parts] = join as readonly [string, readonly Intrinsic[]];
  return parts.map(flatten).join(separator);
}
