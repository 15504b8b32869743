import { describe, expect, it } from '@jest/globals';
import type { BlockContext } from '@tetrad/node-execution';
import type { Ledger } from '@tetrad/node-ledger';
import { gasToCarry, gasToCarryNext } from './gas-of-hash.js';

const HASH = new Uint8Array(64).fill(0xff);

/** A chain whose rules change with block 8. */
function chainAt(head: number) {
  return {
    head: () => ({ header: { number: head } }),
    contextOf: (header: { number: number }) => ({ number: header.number, timestamp: 0 }) as BlockContext,
    executor: { rules: ({ number }: { number: number }) => ({ fork: number >= 8 ? 'prague' : 'berlin' }) },
  } as unknown as Pick<Ledger, 'contextOf' | 'executor' | 'head'>;
}

describe('the gas of a transaction that carries a hash', () => {
  it('is the gas of its bytes, or the floor under EIP-7623', () => {
    expect(gasToCarry(HASH, { fork: 'berlin' })).toBe(21_000n + 64n * 16n);
    expect(gasToCarry(HASH, { fork: 'prague' })).toBe(21_000n + 64n * 40n);
  });

  it('is that of the block after the head', () => {
    expect(gasToCarryNext(HASH, chainAt(6))).toBe(gasToCarry(HASH, { fork: 'berlin' }));
    expect(gasToCarryNext(HASH, chainAt(7))).toBe(gasToCarry(HASH, { fork: 'prague' }));
  });
});
