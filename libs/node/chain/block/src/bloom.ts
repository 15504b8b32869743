import { keccakView } from '@tetrad/crypto';
import { addressToBytes, hashToBytes, type Log } from '@tetrad/types';

const BLOOM_BYTES = 256;
const EMPTY_BLOOM = new Uint8Array(BLOOM_BYTES);

/** Bloom filter over addresses and topics of the logs (Yellow Paper, section 4.3.1): 2,048 bits, three per item. */
export function logsBloom(logs: readonly Log[]): Uint8Array {
  // Most receipts have no logs; they share one filter, which is never written to.
  if (logs.length === 0) return EMPTY_BLOOM;
  const bloom = new Uint8Array(BLOOM_BYTES);
  for (const { address, topics } of logs) {
    add(bloom, addressToBytes(address));
    for (const topic of topics) add(bloom, hashToBytes(topic));
  }
  return bloom;
}

/** The union of the filters. */
export function mergeBlooms(blooms: readonly Uint8Array[]): Uint8Array {
  const merged = new Uint8Array(BLOOM_BYTES);
  for (const bloom of blooms) {
    for (let index = 0; index < BLOOM_BYTES; index++)
      merged[index] = (merged[index] as number) | (bloom[index] as number);
  }
  return merged;
}

function add(bloom: Uint8Array, item: Uint8Array): void {
  const hash = keccakView(item);
  for (let pair = 0; pair < 6; pair += 2) {
    const bit = hash.getUint16(pair) & 2047;
    const index = BLOOM_BYTES - 1 - (bit >> 3);
    bloom[index] = (bloom[index] as number) | (1 << (bit & 7));
  }
}
