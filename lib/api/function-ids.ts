/**
 * Ids of user functions for plans: the same object, the same id, in any query. They live as long as the process and stand
 * in no stored record (functions are outside the fingerprint), so counting them is enough.
 */
const ids = new WeakMap<object, string>();
let made = 0;

export function functionId(verb: string, userFunction: object): string {
  const known = ids.get(userFunction);
  if (known !== undefined) return known;
  made++;
  const id = `${verb}-${made}`;
  ids.set(userFunction, id);
  return id;
}
