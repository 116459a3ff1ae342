import { COMMIT_MUTANTS } from "./commit-mutants.js";
import { IDENTITY_MUTANTS } from "./identity-mutants.js";
import type { Mutant } from "./mutant.js";
import { PUBLISH_MUTANTS } from "./publish-mutants.js";
import { RECORD_MUTANTS } from "./record-mutants.js";
import { ROW_MUTANTS } from "./row-mutants.js";
import { SINK_MUTANTS } from "./sink-mutants.js";
import { SNAPSHOT_MUTANTS } from "./snapshot-mutants.js";
import { STAGES_MUTANTS } from "./stages-mutants.js";
import { STEP_MUTANTS } from "./step-mutants.js";

export const MUTANTS: readonly Mutant[] = [
  ...COMMIT_MUTANTS,
  ...SNAPSHOT_MUTANTS,
  ...PUBLISH_MUTANTS,
  ...STEP_MUTANTS,
  ...RECORD_MUTANTS,
  ...ROW_MUTANTS,
  ...SINK_MUTANTS,
  ...IDENTITY_MUTANTS,
  ...STAGES_MUTANTS,
];
