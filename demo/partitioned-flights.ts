import { flights } from "../functions/flights.js";
import { partitionedHandler } from "./partitioned.js";

export const handler = partitionedHandler(flights);
