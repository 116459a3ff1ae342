/** Identical types, not only assignable to each other: `any`, optional and readonly are told apart. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only for `true`. */
export const expectType = <_ extends true>(): void => undefined;
