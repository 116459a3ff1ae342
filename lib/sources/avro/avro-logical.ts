import { Undecodable } from "../decoded-values.js";

/** What a logical type says beside its name. */
export interface LogicalAttributes {
  readonly precision?: number;
  readonly scale?: number;
}

/** From the value of the type below to that of the logical type; undefined where the two do not go together, and the logical type is ignored. */
export function logicalReader(
  name: string,
  underlying: string,
  attributes: LogicalAttributes,
): ((value: unknown) => string) | undefined {
  if (name === "decimal" && (underlying === "bytes" || underlying === "fixed")) return decimalReader(attributes);
  if (name === "date" && underlying === "int") return (days) => isoOf(BigInt(days as number) * 86_400n).slice(0, 10);
  const [, local, unit] = /^(local-)?timestamp-(millis|micros|nanos)$/.exec(name) ?? [];
  if (unit === undefined || underlying !== "long") return undefined;
  const digits = DIGITS[unit as keyof typeof DIGITS];
  const zone = local === undefined ? "Z" : "";
  return (count) => instantText(BigInt(count as number | bigint), digits) + zone;
}

const DIGITS = { millis: 3, micros: 6, nanos: 9 } as const;

/** As text, which holds every digit and means the same whatever unit the column says. */
function instantText(count: bigint, digits: number): string {
  const perSecond = 10n ** BigInt(digits);
  const fraction = ((count % perSecond) + perSecond) % perSecond;
  return `${isoOf((count - fraction) / perSecond)}.${String(fraction).padStart(digits, "0")}`;
}

const FIRST_SECOND = -62_167_219_200n;
const LAST_SECOND = 253_402_300_799n;

function isoOf(seconds: bigint): string {
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND) throw new Undecodable("a time is outside the years 0 to 9999");
  return new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
}

function decimalReader({ precision, scale = 0 }: LogicalAttributes): ((value: unknown) => string) | undefined {
  if (!Number.isInteger(precision) || !Number.isInteger(scale) || precision! < 1 || scale < 0 || scale > precision!)
    return undefined;
  const beyond = 10n ** BigInt(precision!);
  return (value) => {
    const bytes = value as Buffer;
    // More bytes than digits cannot be needed, and a BigInt of a megabyte takes its time.
    if (bytes.length > Math.max(precision!, 16)) throw new Undecodable("a decimal is beyond its precision");
    const unscaled = bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString("hex")}`));
    if (unscaled <= -beyond || unscaled >= beyond) throw new Undecodable("a decimal is beyond its precision");
    const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
    const whole = digits.slice(0, digits.length - scale);
    return `${unscaled < 0n ? "-" : ""}${whole}${scale === 0 ? "" : `.${digits.slice(-scale)}`}`;
  };
}
