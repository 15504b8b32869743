import { keccakHash, EMPTY_KECCAK } from '@tetrad/crypto';
import type { Hash } from '@tetrad/types';
import { wordFromBytes, type Word } from '../word/word.js';
import type { Rules } from '../forks/rules.js';
import { OP, immediateSize } from './opcode.js';
import { Program } from './program.js';

/** The code of an account or of a creation, with its hash, jump destinations and decoded form, each computed once. */
export class Code {
  private known: Hash | undefined;
  private destinations: Uint8Array | undefined;
  private decoded: Program | undefined;
  private decodedFor: Rules | undefined;

  /** The hash is computed on first use when it is not given: the hash of init code is rarely needed. */
  constructor(
    readonly bytes: Uint8Array,
    hash?: Hash,
  ) {
    this.known = hash;
  }

  get hash(): Hash {
    return (this.known ??= keccakHash(this.bytes));
  }

  get size(): number {
    return this.bytes.length;
  }

  /** Whether there is a JUMPDEST at the position. Cost: the first call scans the whole code. */
  isDestination(pc: number): boolean {
    return (this.destinations ??= findDestinations(this.bytes))[pc] === 1;
  }

  /** The decoded form under the rules. */
  program(rules: Rules): Program {
    if (this.decoded === undefined || this.decodedFor !== rules) {
      this.decoded = new Program(this, rules);
      this.decodedFor = rules;
    }
    return this.decoded;
  }

  /** The operand of the PUSH at `pc`; trailing bytes are zero. */
  immediate(pc: number): Word {
    const size = immediateSize(this.bytes[pc] as number);
    const end = pc + 1 + size;
    if (end <= this.bytes.length) return wordFromBytes(this.bytes.subarray(pc + 1, end));
    const padded = new Uint8Array(size);
    padded.set(this.bytes.subarray(pc + 1));
    return wordFromBytes(padded);
  }
}

export const EMPTY_CODE = new Code(new Uint8Array(0), EMPTY_KECCAK);

/** One byte a position, 1 for a JUMPDEST that is not inside an operand. */
function findDestinations(bytes: Uint8Array): Uint8Array {
  const destinations = new Uint8Array(bytes.length);
  for (let pc = 0; pc < bytes.length; pc++) {
    const op = bytes[pc] as number;
    if (op === OP.JUMPDEST) destinations[pc] = 1;
    else if (op >= OP.PUSH1 && op <= OP.PUSH32) pc += op - OP.PUSH0;
  }
  return destinations;
}
