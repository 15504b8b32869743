// Numbers as the host writes them: 64 bytes each, big-endian, below p.

import { SQUARE } from './constants';
import { multiplyHalves } from './fp2';

/** Reads two numbers, one after the other, into the halves. */
export function readPair(to: usize, at: usize): void {
  for (let limb: usize = 0; limb < 14; limb++) {
    store<u32>(to + 8 * limb, limbAt(at, limb));
    store<u32>(to + 8 * limb, limbAt(at + 64, limb), 4);
  }
  multiplyHalves(to, to, SQUARE);
}

/** Bits 28 · limb and above of a number of 64 bytes. */
function limbAt(at: usize, limb: usize): u32 {
  const bytes = bswap(load<u32>(at + 60 - ((7 * limb) >> 1)));
  return (limb & 1 ? bytes >> 4 : bytes) & 0xfffffff;
}
