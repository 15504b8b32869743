import { describe, expect, it } from '@jest/globals';
import { EMPTY_KECCAK } from '@tetrad/crypto';
import type { WorldState } from '@tetrad/node-execution';
import { parseAddress, parseHash, type Address, type Hash, type Hex } from '@tetrad/types';
import { findReferences } from './referred-contracts.js';

const CONTRACT = parseAddress(`0x${'c1'.repeat(20)}`);
const OTHER = parseAddress(`0x${'c2'.repeat(20)}`);

const parts = {
  store: { listExtendedTo: async () => [] },
  head: { run: (work: (at: object) => unknown) => work({ metadata: { find: async () => new Map() } }) },
  manager: {},
} as unknown as Parameters<typeof findReferences>[0];

/** A state in which the addresses have code, or an account without; it counts what is looked up. */
function worldOf(hasCode: (address: Address) => boolean) {
  const lookedUp: Address[] = [];
  const findAccount = async (address: Address) => {
    lookedUp.push(address);
    return { codeHash: hasCode(address) ? `0x${'01'.repeat(32)}` : EMPTY_KECCAK };
  };
  return { lookedUp, world: { findAccount } as unknown as WorldState };
}

/** Slots that each hold another address. */
const slots = (count: number): ReadonlyMap<Hash, Hex> =>
  new Map(
    Array.from({ length: count }, (_, index) => {
      const digits = (index + 1).toString(16).padStart(8, '0');
      return [parseHash(`0x${digits.padStart(64, '0')}`), `0xff${digits.padEnd(38, '0')}`] as const;
    }),
  );

const search = (world: WorldState, storage: ReadonlyMap<Hash, Hex> | undefined, code = '') =>
  findReferences(parts, world, {
    contract: CONTRACT,
    code: Buffer.from(code, 'hex'),
    storage,
    recipientKey: undefined,
  });

describe('findReferences', () => {
  it('finds other contracts once, not the contract itself or accounts without code', async () => {
    const { world } = worldOf((address) => address === OTHER || address === CONTRACT);
    const storage = new Map([[parseHash(`0x${'00'.repeat(32)}`), OTHER as Hex]]);
    const code = `73${OTHER.slice(2)}73${CONTRACT.slice(2)}73${'c3'.repeat(20)}`;
    expect(await search(world, storage, code)).toEqual({
      refersTo: [expect.objectContaining({ address: OTHER, foundIn: 'code', isWithNewParty: undefined })],
      isSearchComplete: true,
    });
  });

  it('looks up no more than 10,000 addresses, and says so', async () => {
    const { world, lookedUp } = worldOf(() => false);
    expect(await search(world, slots(12_000))).toEqual({ refersTo: [], isSearchComplete: false });
    expect(lookedUp).toHaveLength(10_000);
  });

  it('names no more than 100 contracts, and says so', async () => {
    const { world } = worldOf(() => true);
    const { refersTo, isSearchComplete } = await search(world, slots(200));
    expect([refersTo.length, isSearchComplete]).toEqual([100, false]);
  });

  it('is incomplete for a contract of too many slots', async () => {
    const { world } = worldOf(() => false);
    expect(await search(world, undefined)).toEqual({ refersTo: [], isSearchComplete: false });
  });
});
