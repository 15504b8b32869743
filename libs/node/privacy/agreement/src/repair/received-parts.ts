import { keccakHash } from '@tetrad/crypto';
import type { Hash } from '@tetrad/types';
import { PART_BYTES } from './repair-parts.js';

/** Collects a whole contract, whose size and hash were signed before. */
export class ReceivedParts {
  private readonly parts: (Uint8Array | undefined)[];
  private missing: number;

  constructor(
    private readonly wholeBytes: number,
    private readonly wholeHash: Hash,
  ) {
    this.missing = Math.ceil(wholeBytes / PART_BYTES);
    this.parts = Array.from({ length: this.missing });
  }

  /** @returns false for a part that was received before, is outside the whole, or has the wrong length */
  add(index: number, part: Uint8Array): boolean {
    if (index >= this.parts.length || this.parts[index] !== undefined) return false;
    const length = Math.min(PART_BYTES, this.wholeBytes - index * PART_BYTES);
    if (part.length !== length) return false;
    this.parts[index] = part;
    this.missing -= 1;
    return true;
  }

  get isComplete(): boolean {
    return this.missing === 0;
  }

  /** The whole; undefined when it is not what was signed. */
  whole(): Uint8Array | undefined {
    const whole = Buffer.concat(this.parts.map((part) => part ?? new Uint8Array(0)));
    return keccakHash(whole) === this.wholeHash ? whole : undefined;
  }
}
