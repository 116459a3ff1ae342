/**
 * A HyperLogLog counter. While fewer than `SPARSE_LIMIT` values were seen it holds their hashes and is exact but for
 * collisions; then 2^precision registers of one byte. Relative error 1.04 / √(2^precision): 1.6 % at 12.
 */
export type Sketch = number[] | Uint8Array;

const SPARSE_LIMIT = 256;

/** A hash of 52 bits, as a safe integer: two 32-bit mixes of the text with different multipliers. */
export function hash52(text: string): number {
  let a = 0x9e3779b1;
  let b = 0x85ebca77;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul((b ^ unit) + 0x27d4eb2f, 0x5bd1e995);
    b = (b << 13) | (b >>> 19);
  }
  return (finalize(a) >>> 12) * 2 ** 32 + finalize(b ^ a);
}

function finalize(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x7feb352d);
  h ^= h >>> 15;
  h = Math.imul(h, 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Adds a hash; returns the sketch to keep, which is another one when it turns dense. */
export function addHash(sketch: Sketch, hash: number, precision: number): Sketch {
  if (sketch instanceof Uint8Array) {
    raise(sketch, hash, precision);
    return sketch;
  }
  if (sketch.includes(hash)) return sketch;
  sketch.push(hash);
  return sketch.length < SPARSE_LIMIT ? sketch : toDense(sketch, precision);
}

function toDense(hashes: readonly number[], precision: number): Uint8Array {
  const registers = new Uint8Array(2 ** precision);
  for (const hash of hashes) raise(registers, hash, precision);
  return registers;
}

/** The low bits choose the register, the rest is the run of zeros. */
function raise(registers: Uint8Array, hash: number, precision: number): void {
  const size = 2 ** precision;
  const index = hash % size;
  let rest = Math.floor(hash / size);
  let rank = 1;
  const longest = 52 - precision + 1;
  while (rest % 2 === 0 && rank < longest) {
    rest = Math.floor(rest / 2);
    rank++;
  }
  if (rank > registers[index]!) registers[index] = rank;
}

export function mergeSketches(into: Sketch, other: Sketch, precision: number): Sketch {
  if (!(other instanceof Uint8Array)) {
    return other.reduce<Sketch>((sketch, hash) => addHash(sketch, hash, precision), into);
  }
  const registers = into instanceof Uint8Array ? into : toDense(into, precision);
  for (let i = 0; i < registers.length; i++) if (other[i]! > registers[i]!) registers[i] = other[i]!;
  return registers;
}

/**
 * Ertl's improved estimator ("New cardinality estimation algorithms for HyperLogLog sketches", 2017, algorithm 6): one formula from empty
 * to full. The classic one errs by up to 3 % on one side around 2.5 values per register, where it changes from one formula to another.
 */
export function estimate(sketch: Sketch): number {
  if (!(sketch instanceof Uint8Array)) return sketch.length;
  const size = sketch.length;
  const longest = 52 - Math.log2(size) + 1;
  const registersOf = new Array<number>(longest + 1).fill(0);
  for (const register of sketch) registersOf[register]!++;
  let z = size * tau(1 - registersOf[longest]! / size);
  for (let rank = longest - 1; rank >= 1; rank--) z = (z + registersOf[rank]!) / 2;
  z += size * sigma(registersOf[0]! / size);
  return Math.round((size * size) / (2 * Math.LN2 * z));
}

/** x + Σ x^(2^k) · 2^(k−1): what the registers that are zero tell. */
function sigma(share: number): number {
  if (share === 1) return Number.POSITIVE_INFINITY;
  let [x, weight, sum, before] = [share, 1, share, -1];
  while (sum !== before) {
    before = sum;
    x *= x;
    sum += x * weight;
    weight *= 2;
  }
  return sum;
}

/** ⅓ (1 − x − Σ (1 − x^(2^−k))² · 2^−k): what the registers that are full tell. */
function tau(share: number): number {
  if (share === 0 || share === 1) return 0;
  let [x, weight, sum, before] = [share, 1, 1 - share, -1];
  while (sum !== before) {
    before = sum;
    x = Math.sqrt(x);
    weight /= 2;
    sum -= (1 - x) ** 2 * weight;
  }
  return sum / 3;
}
