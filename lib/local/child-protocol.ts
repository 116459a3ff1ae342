import type { ContextFields } from "./lambda-context.js";

/** What goes to the child process and back, as JSON over its IPC channel. */
export interface InvokeMessage {
  readonly id: number;
  readonly event: unknown;
  readonly context: ContextFields;
  /** Epoch ms. */
  readonly deadline: number;
}

export type ChildMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "unloadable"; readonly error: SentError }
  | { readonly kind: "answer"; readonly id: number; readonly response: unknown }
  | { readonly kind: "failure"; readonly id: number; readonly error: SentError };

export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
}
