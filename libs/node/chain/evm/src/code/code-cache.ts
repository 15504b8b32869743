import { EMPTY_KECCAK } from '@tetrad/crypto';
import type { Hash } from '@tetrad/types';
import { LRUCache } from 'lru-cache';
import { EMPTY_CODE, type Code } from './code.js';

/** Memory of a decoded code by its bytes: three array cells an operation, and a BigInt for a wide operand. */
const MEMORY_PER_BYTE = 30;
const MEMORY_PER_CODE = 1_000;

/** Codes by hash, so that a contract is decoded once. Bounded in bytes of memory, least recently used first. */
export class CodeCache {
  private readonly codes: LRUCache<Hash, Code>;

  constructor(maxBytes = 128 * 1024 * 1024) {
    this.codes = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ size }) => MEMORY_PER_CODE + size * MEMORY_PER_BYTE,
    });
  }

  get(hash: Hash): Code | undefined {
    return hash === EMPTY_KECCAK ? EMPTY_CODE : this.codes.get(hash);
  }

  add(code: Code): Code {
    this.codes.set(code.hash, code);
    return code;
  }
}
