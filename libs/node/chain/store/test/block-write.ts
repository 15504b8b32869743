import { keccak256 } from '@tetrad/crypto';
import { parseAddress, parseHash, type Hash } from '@tetrad/types';
import type { BlockWrite } from '../src/index.js';

export const hashOf = (seed: number, kind = 0): Hash =>
  parseHash(`0x${Buffer.from([kind, seed]).toString('hex').padStart(64, '0')}`);
/** A trie node and its hash. */
export const node = (seed: number) => {
  const bytes = Uint8Array.of(7, seed);
  return { hash: keccak256(bytes), bytes };
};
export const ADDRESS = parseAddress(`0x${'aa'.repeat(20)}`);

/** Nanoseconds, as in headers of raft: beyond what a number holds. */
export const TIME = 1_600_000_000_000_000_001n;

/** A block with one transaction that emitted one log. */
export function block(number: number, changes: Partial<BlockWrite> = {}): BlockWrite {
  return {
    block: {
      number,
      hash: hashOf(number),
      stateRoot: hashOf(number, 1),
      timestamp: TIME + BigInt(number),
      header: Uint8Array.of(number),
      totalTransactions: number,
    },
    parentHash: hashOf(Math.max(number - 1, 0)),
    transactions: [
      {
        blockNumber: number,
        index: 0,
        hash: hashOf(number, 2),
        sender: ADDRESS,
        raw: Uint8Array.of(1, 2),
        status: 1,
        gasUsed: 21_000n,
        cumulativeGasUsed: 21_000n,
        firstLog: 0,
        logCount: 1,
      },
    ],
    logs: [
      {
        blockNumber: number,
        index: 0,
        transactionIndex: 0,
        address: ADDRESS,
        topics: [hashOf(1, 3), hashOf(number, 4)],
        data: Uint8Array.of(9),
      },
    ],
    nodes: [node(number)],
    codes: [],
    preimages: [],
    joined: [],
    ...changes,
  };
}
