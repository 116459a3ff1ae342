/** What user code over keyed state is written against. */
export type { GroupFunction, GroupState } from "../operators/stateful/group-state.js";
export type {
  ExpiredTimerInfo,
  InitialState,
  ListState,
  MapState,
  ProcessorFactory,
  StatefulProcessor,
  StatefulProcessorHandle,
  StateVariableOptions,
  TimerValues,
  ValueState,
} from "../operators/stateful/stateful-processor.js";
