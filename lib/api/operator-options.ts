/** Options of every verb that keeps state. */
export interface OperatorOptions {
  /** Names the operator's state; keep it when the query changes, and its state is found again. */
  readonly id?: string | undefined;
}

export const operatorIdOf = ({ id }: OperatorOptions) => (id === undefined ? {} : { operatorId: id });
