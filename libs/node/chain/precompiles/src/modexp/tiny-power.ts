import type { Work } from '../slices.js';

/** Bytes of the exponent in one piece. */
const PIECE = 65_536;

/**
 * Powers modulo a number below 256: they repeat after less than 256 steps, so that the exponent is reduced to a step
 * in one pass. Under EIP-198 a bit of such an exponent costs next to nothing.
 */
export function* tinyPower(base: number, exponent: Uint8Array, modulus: number): Work<number> {
  const powers: number[] = [];
  const seenAt = new Int16Array(modulus).fill(-1);
  let power = 1 % modulus;
  while (seenAt[power] === -1) {
    seenAt[power] = powers.length;
    powers.push(power);
    power = (power * base) % modulus;
  }
  const start = seenAt[power] as number;
  let step = 0;
  for (let at = 0; at < exponent.length; at += PIECE) {
    if (at > 0) yield;
    step = reduce(step, exponent.subarray(at, at + PIECE), start, powers.length);
  }
  return powers[step] as number;
}

/** The step with the same power as the exponent with the digits of `step` followed by the bytes. */
function reduce(step: number, bytes: Uint8Array, start: number, end: number): number {
  for (let at = 0; at < bytes.length; at += 1) {
    step = step * 256 + (bytes[at] as number);
    if (step >= end) step = ((step - start) % (end - start)) + start;
  }
  return step;
}
