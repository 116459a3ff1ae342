/** What user code over keyed state is written against. */
export type { GroupFunction, GroupState } from "../operators/stateful/group-state.js";
export type {
  ExpiredTimerInfo,
  ListState,
  MapState,
  ProcessorFactory,
  StatefulProcessor,
  StatefulProcessorHandle,
  TimerValues,
  ValueState,
} from "../operators/stateful/stateful-processor.js";
