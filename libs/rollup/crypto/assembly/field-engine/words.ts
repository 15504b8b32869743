import { MASK } from './field';

/** The limbs of an integer in four words of 64 bits, the least significant first; not in Montgomery form. */
export function unpack(to: usize, words: usize): void {
  const w0 = load<u64>(words, 0);
  const w1 = load<u64>(words, 8);
  const w2 = load<u64>(words, 16);
  const w3 = load<u64>(words, 24);
  store<u32>(to, w0 & MASK, 0);
  store<u32>(to, (w0 >> 29) & MASK, 4);
  store<u32>(to, ((w0 >> 58) | (w1 << 6)) & MASK, 8);
  store<u32>(to, (w1 >> 23) & MASK, 12);
  store<u32>(to, ((w1 >> 52) | (w2 << 12)) & MASK, 16);
  store<u32>(to, (w2 >> 17) & MASK, 20);
  store<u32>(to, ((w2 >> 46) | (w3 << 18)) & MASK, 24);
  store<u32>(to, (w3 >> 11) & MASK, 28);
  store<u32>(to, (w3 >> 40) & MASK, 32);
}

/** The four words of limbs. */
export function pack(words: usize, from: usize): void {
  const a0 = <u64>load<u32>(from, 0);
  const a1 = <u64>load<u32>(from, 4);
  const a2 = <u64>load<u32>(from, 8);
  const a3 = <u64>load<u32>(from, 12);
  const a4 = <u64>load<u32>(from, 16);
  const a5 = <u64>load<u32>(from, 20);
  const a6 = <u64>load<u32>(from, 24);
  const a7 = <u64>load<u32>(from, 28);
  const a8 = <u64>load<u32>(from, 32);
  store<u64>(words, a0 | (a1 << 29) | (a2 << 58), 0);
  store<u64>(words, (a2 >> 6) | (a3 << 23) | (a4 << 52), 8);
  store<u64>(words, (a4 >> 12) | (a5 << 17) | (a6 << 46), 16);
  store<u64>(words, (a6 >> 18) | (a7 << 11) | (a8 << 40), 24);
}
