declare const message: unique symbol;

/** A type that nothing has: where it stands in a compiler's message, `Message` says what is wrong with the query. */
export interface StreamTypeError<Message extends string> {
  readonly [message]: Message;
}
