import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { bftRules, snapshotOf } from '@tetrad/node-consensus-bft';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import type { Address } from '@tetrad/types';
import { OWNERS, openTestLedger, testGenesis, type TestLedger } from './open-test-ledger.js';
import { nextBlock, type NextBlock } from './seal-block.js';

const [A, B, C, D, E] = [1, 2, 3, 4, 5].map((scalar) => Buffer.alloc(32, scalar)) as [
  ...[Buffer, Buffer, Buffer, Buffer, Buffer],
];
const FOUR = [A, B, C, D];
const addressesOf = (keys: readonly Uint8Array[]): Address[] => keys.map(addressFromPrivateKey).sort();

let database: TestDatabase;
let chain: TestLedger;
beforeEach(async () => {
  database = await createTestDatabase('node');
});
afterEach(async () => {
  await chain.close();
  await database.drop();
});

async function append(
  proposerKey: Uint8Array,
  keys: readonly Uint8Array[],
  next: Partial<NextBlock> = {},
): Promise<void> {
  await chain.ledger.importBlock(await nextBlock(chain, { proposerKey, keys, ...next }));
}

const validators = () => chain.ledger.snapshot().validators;

describe('a validator contract', () => {
  const contract = `0x${'c0'.repeat(20)}`;

  /** Code that answers every call with the values of slots 0 to 4: offset, count and three addresses. */
  const READS_SLOTS = `0x${[0, 1, 2, 3, 4]
    .map((slot) => `60${hex(slot)}54${'60'}${hex(slot * 32)}52`)
    .join('')}60a06000f3`;
  function hex(value: number): string {
    return value.toString(16).padStart(2, '0');
  }

  async function openWithContract(words: readonly string[]): Promise<void> {
    const genesis = testGenesis({
      blockPeriodMs: 1000,
      validatorKeys: FOUR,
      consensus: { validatorselectionmode: 'contract', validatorcontractaddress: contract },
    });
    const storage = words.map((word, slot) => ({
      slot: Buffer.from(slot.toString(16).padStart(64, '0'), 'hex'),
      value: Buffer.from(word.padStart(64, '0'), 'hex'),
    }));
    const account = {
      address: contract as Address,
      balance: 0n,
      nonce: 1n,
      code: Buffer.from(READS_SLOTS.slice(2), 'hex'),
      storage,
    };
    chain = await openTestLedger(database.url, {
      genesis: { ...genesis, alloc: [...genesis.alloc, account] },
    });
  }

  it('names the validators that produce the blocks, while the headers list none', async () => {
    const named = addressesOf([A, B, E]);
    await openWithContract(['20', '3', ...named.map((address) => address.slice(2))]);
    expect(validators()).toEqual(named);
    await append(E, [A, E], { vote: { recipient: OWNERS[0]?.address as Address, isAdd: true } });
    const { header } = chain.ledger.head();
    expect(bftRules('qbft').validatorsOf(header)).toEqual([]);
    // Votes have no effect.
    expect(chain.ledger.snapshot()).toEqual(snapshotOf(1, named));
    await expect(append(D, [A, B, E])).rejects.toThrow('unauthorized');
    expect(await chain.ledger.verifyFromGenesis()).toBe(1);
  });

  it.each([
    ['no validator', ['20', '0']],
    ['more than it lists', ['20', '9']],
    ['a value that is not an address', ['20', '3', 'ff'.repeat(32)]],
  ])('that names %s leaves the set as it was', async (_, words) => {
    await openWithContract(words);
    expect(validators()).toEqual(addressesOf(FOUR));
    await append(A, [A, B, C]);
    expect(validators()).toEqual(addressesOf(FOUR));
  });
});
