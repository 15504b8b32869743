import blake2bRounds from './generated/blake2b-rounds.js';
import { Instances, type Instance } from './instances.js';
import type { Precompile } from './precompile.js';
import { runInSlices, type Work } from './slices.js';

/** assembly/blake2b-rounds.ts */
interface Exports {
  doRounds(first: number, count: number): void;
}

const instances = new Instances<Exports>(blake2bRounds);

const INPUT = 213;

/** Rounds in one piece, some milliseconds; a multiple of the 10 after which message orders repeat. */
const PIECE = 100_000;

/** The initial vector. Source: RFC 7693, section 2.6. */
const INITIAL = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
] as const;

/**
 * The compression function F of BLAKE2b. Source: EIP-152.
 *
 *     in:   rounds (4, big-endian) ‖ h (64) ‖ m (128) ‖ t (16) ‖ final (1)
 *     out:  h (64)
 */
export const blake2f: Precompile = {
  gas: (input) => (input.length === INPUT ? viewOf(input).getUint32(0) : 0),
  run(input, pace) {
    const isFinal = input[INPUT - 1] as number;
    if (input.length !== INPUT || isFinal > 1) return undefined;
    return runInSlices(compress(input.slice()), pace);
  },
};

function* compress(input: Uint8Array): Work<Uint8Array> {
  const instance = instances.take();
  try {
    writeState(instance, input);
    const rounds = viewOf(input).getUint32(0);
    for (let done = 0; done < rounds; done += PIECE) {
      if (done > 0) yield;
      instance.exports.doRounds(0, Math.min(PIECE, rounds - done));
    }
    return readState(instance, input);
  } finally {
    instances.giveBack(instance);
  }
}

/** v: h (64) ‖ initial vector (64), changed by t and by whether the block is the last; then m (128). */
function writeState({ bytes }: Instance<Exports>, input: Uint8Array): void {
  const source = viewOf(input);
  const state = viewOf(bytes);
  bytes.set(input.subarray(4, 68), 0);
  INITIAL.forEach((word, index) => state.setBigUint64(64 + 8 * index, word, true));
  for (const index of [0, 1])
    state.setBigUint64(
      96 + 8 * index,
      (INITIAL[4 + index] as bigint) ^ source.getBigUint64(196 + 8 * index, true),
      true,
    );
  if (input[INPUT - 1] === 1) state.setBigUint64(112, ~INITIAL[6], true);
  bytes.set(input.subarray(68, 196), 128);
}

function readState({ bytes }: Instance<Exports>, input: Uint8Array): Uint8Array {
  const output = input.slice(4, 68);
  for (let at = 0; at < 64; at += 1)
    output[at] = (output[at] as number) ^ (bytes[at] as number) ^ (bytes[at + 64] as number);
  return output;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
