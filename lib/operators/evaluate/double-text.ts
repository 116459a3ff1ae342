/**
 * A double as Spark writes it, which is Java's `Double.toString`: `1.0`, `0.001`, `1.0E7`, `1.0E-4`, `NaN`, `Infinity`. The digits are the
 * fewest that read back as the same double, which is Java's rule since version 19; older ones write a digit too many now and then.
 */
export function doubleText(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const magnitude = Math.abs(value);
  if (magnitude >= 1e-3 && magnitude < 1e7) {
    const text = String(value);
    return text.includes(".") ? text : `${text}.0`;
  }
  const [mantissa, exponent] = shortest(value).split("e") as [string, string];
  return `${mantissa.includes(".") ? mantissa : `${mantissa}.0`}E${Number(exponent)}`;
}

/** Java never writes one digit alone: of those with two it takes the closest, 4.9E-324 for the least double. */
function shortest(value: number): string {
  const text = value.toExponential();
  if (text.includes(".")) return text;
  const two = value.toExponential(1);
  return Number(two) === value ? two : text;
}
