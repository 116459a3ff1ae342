import { type CallCompiler, unary } from "./apply.js";

/** Three-valued: false decides AND and true decides OR, whatever is unknown beside it. */
export const compileLogic: CallCompiler = (call, scope) => {
  switch (call.fn) {
    case "and":
      return combine(call.args.map(scope.compile), false);
    case "or":
      return combine(call.args.map(scope.compile), true);
    case "isNull":
    case "isNotNull": {
      const argument = scope.compile(call.args[0]!);
      const wanted = call.fn === "isNull";
      return (row, right) => (argument(row, right) === null) === wanted;
    }
    default:
      return unary(call, scope, (value: boolean) => !value);
  }
};

function combine(parts: ReturnType<CallCompiler>[], deciding: boolean): ReturnType<CallCompiler> {
  return (row, right) => {
    let unknown = false;
    for (const part of parts) {
      const value = part(row, right);
      if (value === deciding) return deciding;
      if (value === null) unknown = true;
    }
    return unknown ? null : !deciding;
  };
}
