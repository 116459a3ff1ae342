import { type ProcessorScope, processorScope } from "../../../lib/operators/stateful/processor-scope.js";
import { memoryState } from "../../../lib/state/staged-state.js";

/** A scope within a call for `key`, over a state of its own; `commit` ends the micro-batch and begins the next. */
export function scopeFor(key: string): { readonly scope: ProcessorScope; commit(): void } {
  const state = memoryState();
  let staged = state.stage();
  const scope = processorScope();
  const begin = () => {
    scope.pass = {
      watermarkForLateEvents: 0,
      watermarkForEviction: 0,
      processingTime: 0,
      state: staged,
      late: () => {},
      withoutTime: () => {},
    };
  };
  begin();
  scope.key = key;
  return {
    scope,
    commit() {
      state.commit(staged);
      staged = state.stage();
      begin();
    },
  };
}
