import { memoryObjectStore } from "../../lib/checkpoint/memory-object-store.js";
import { objectStoreContract } from "../contract/object-store.js";

objectStoreContract("memory", { make: () => memoryObjectStore(() => 1000), now: () => 1000 });
