import { describe, expect, it } from '@jest/globals';
import { InvalidBlockError } from '@tetrad/node-block';
import type { Block, Hash } from '@tetrad/types';
import { importOffered } from './import-offered.js';

const blockAt = (number: number, branch = 'a') =>
  ({ hash: `0x${branch}${number}` as Hash, header: { number } }) as Block;

/** A chain with blocks up to the head; `onImport` is what importing the next one does. */
function chain(head: number, onImport: (grow: () => void) => void = (grow) => grow()) {
  const state = { head };
  return {
    state,
    head: () => blockAt(state.head),
    findBlock: async (reference: number | Hash) =>
      typeof reference === 'number' && reference <= state.head ? blockAt(reference) : undefined,
    importBlock: async () => onImport(() => state.head++),
  } as unknown as Parameters<typeof importOffered>[0] & { state: typeof state };
}

const invalid = () => {
  throw new InvalidBlockError('the state root is wrong');
};

describe('a block that a peer offers', () => {
  it('is imported on top of the head', async () => {
    const ledger = chain(4);
    expect(await importOffered(ledger, blockAt(5))).toEqual({ kind: 'imported' });
    expect(ledger.state.head).toBe(5);
  });

  it('is not imported again', async () => {
    expect(await importOffered(chain(4, invalid), blockAt(3))).toEqual({ kind: 'known' });
  });

  it('is invalid beside a final one', async () => {
    expect(await importOffered(chain(4), blockAt(3, 'b'))).toEqual({
      kind: 'invalid',
      reason: 'block 3 is final and another one',
    });
  });

  it('is invalid when it breaks a rule', async () => {
    expect(await importOffered(chain(4, invalid), blockAt(5))).toEqual({
      kind: 'invalid',
      reason: 'the state root is wrong',
    });
  });

  it('is known when the head reached it while it waited', async () => {
    const overtaken = chain(4, (grow) => {
      grow();
      invalid();
    });
    expect(await importOffered(overtaken, blockAt(5))).toEqual({ kind: 'known' });
  });

  it('fails without blaming the peer when the node itself fails', async () => {
    const broken = chain(4, () => {
      throw new Error('database unavailable');
    });
    await expect(importOffered(broken, blockAt(5))).rejects.toThrow('database unavailable');
  });
});
