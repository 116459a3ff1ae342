import { memoryCheckpointLog } from "../../lib/checkpoint/memory-checkpoint-log.js";
import { checkpointLogContract } from "../contract/checkpoint-log.js";

checkpointLogContract("memory", { make: (clock) => memoryCheckpointLog(() => clock.now) });
