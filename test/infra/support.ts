import { App, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { pageViews } from "../../functions/page-views.js";
import { StreamingQuery, type StreamingQueryProps } from "../../infra/streaming-query.js";

/** A stack of one query, synthesised without bundling: what is asserted is the template, not the code. */
export function synthesise(props: Partial<StreamingQueryProps> = {}): {
  readonly template: Template;
  readonly stack: Stack;
  readonly construct: StreamingQuery;
} {
  const app = new App({ context: { "aws:cdk:bundling-stacks": [] } });
  const stack = new Stack(app, "Test");
  const construct = new StreamingQuery(stack, "Query", {
    query: pageViews,
    entry: "functions/page-views.ts",
    ...props,
  });
  return { template: Template.fromStack(stack), stack, construct };
}

interface Statement {
  readonly Action: string | readonly string[];
  readonly Sid?: string;
  readonly Resource: unknown;
}

/** The statements of every policy of a role whose logical id matches. */
export function statementsOf(template: Template, role: RegExp): readonly Statement[] {
  return Object.values(template.findResources("AWS::IAM::Policy")).flatMap((policy) => {
    const { Roles, PolicyDocument } = policy["Properties"] as {
      Roles: readonly { readonly Ref: string }[];
      PolicyDocument: { readonly Statement: readonly Statement[] };
    };
    return Roles.some(({ Ref }) => role.test(Ref)) ? PolicyDocument.Statement : [];
  });
}

/** Every action that a role whose logical id matches may take, sorted, each once. */
export const actionsOf = (template: Template, role: RegExp): readonly string[] =>
  [...new Set(statementsOf(template, role).flatMap(({ Action }) => [Action].flat() as string[]))].sort();
