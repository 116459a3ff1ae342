/** Two's complement, the highest byte first. */
export function bigEndian(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = value * 256n + BigInt(byte);
  return BigInt.asIntN(bytes.length * 8, value);
}

/** `unscaled` · 10^-scale with all its digits: `-12.50`. */
export function decimalText(unscaled: bigint, scale: number): string {
  const sign = unscaled < 0n ? "-" : "";
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  return scale <= 0
    ? `${sign}${digits}${"0".repeat(-scale)}`
    : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Whether a double says as much: of a whole number the same number, of another the same digits, written as shortly as they can be. */
export function isExactDouble(decimal: string): boolean {
  const value = Number(decimal);
  if (!Number.isFinite(value)) return false;
  const [whole, fraction = ""] = decimal.split(".") as [string, string?];
  return /^0*$/.test(fraction) ? BigInt(value) === BigInt(whole) : sameDecimal(value, decimal);
}

function sameDecimal(value: number, decimal: string): boolean {
  const [mantissa, exponent = "0"] = String(value).split("e") as [string, string?];
  return normal(mantissa, Number(exponent)) === normal(decimal, 0);
}

/** Significant digits and where the point stands after the first of them. */
function normal(text: string, exponent: number): string {
  const [, sign, whole = "", fraction = ""] = /^(-?)(\d*)\.?(\d*)$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`;
  const leading = /^0*/.exec(digits)![0].length;
  const significant = digits.slice(leading).replace(/0+$/, "");
  return significant === "" ? "0" : `${sign}${significant}e${whole.length - leading + exponent}`;
}

/** An IEEE 754 number of 16 bits, the lowest byte first. */
export function doubleOfHalf(bytes: Uint8Array): number {
  const bits = (bytes[1]! << 8) | bytes[0]!;
  const sign = bits >> 15 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * 2 ** -24 * fraction;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
}
