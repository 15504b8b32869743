import { describe, expect, it } from '@jest/globals';
import type { StoredPrivateReceipt } from '@tetrad/node-store';
import { addressFromBytes, hashFromBytes, parsePtmKey, type Address, type PtmKey } from '@tetrad/types';
import { UNDISCLOSED } from '../outcome/outcome-list.js';
import { BlockResults, type TransactionParties } from './block-results.js';
import { SharedContracts } from './shared-contracts.js';

const keyOf = (byte: number): PtmKey => parsePtmKey(Buffer.alloc(32, byte).toString('base64'));
const [OWN, OTHER] = [keyOf(1), keyOf(2)];
const PAIR = { own: OWN, other: OTHER };
const contractOf = (byte: number): Address => addressFromBytes(Buffer.alloc(20, byte));
const [CALLED, INNER] = [contractOf(5), contractOf(6)];

const receiptOf = (changes: Partial<StoredPrivateReceipt> = {}): StoredPrivateReceipt => ({
  blockNumber: 7,
  index: 0,
  hash: hashFromBytes(Buffer.alloc(32, 9)),
  raw: new Uint8Array(),
  sender: contractOf(1),
  status: 1,
  returnData: new Uint8Array(),
  firstLog: 0,
  logCount: 0,
  effects: { gasUsed: 1n, entered: [CALLED] },
  ...changes,
});

interface Situation {
  readonly receipt?: StoredPrivateReceipt;
  /** Who sent it; the other party without it. */
  readonly sender?: PtmKey;
  /** Parties of contracts that are proved. */
  readonly proved?: ReadonlyMap<Address, PtmKey>;
  /** Contracts to which this node has sent the other party a transaction. */
  readonly sentTo?: readonly Address[];
  /** Parties that the operator has named. */
  readonly openTo?: ReadonlySet<PtmKey>;
}

async function resultsOf({
  receipt = receiptOf(),
  sender = OTHER,
  proved,
  sentTo = [],
  openTo = new Set(),
}: Situation) {
  const partiesOf = async (): Promise<TransactionParties> => ({
    sender,
    own: [OWN],
    all: [OWN, OTHER],
    areKnownToAll: false,
    to: CALLED,
  });
  const shared = new SharedContracts({
    partiesOf: async (contract) => {
      const party = proved?.get(contract);
      return { parties: new Set(party === undefined ? [] : [party]) };
    },
    store: {
      listContract: async (contract) => [
        { ...PAIR, contract, block: 1, transaction: receipt.hash, isShared: sentTo.includes(contract) },
      ],
    },
  });
  const results = new BlockResults({
    store: { listReceipts: async () => [receipt], listLogs: async () => [] },
    partiesOf,
    findState: async () => undefined,
    shared,
    openTo,
  });
  const [found] = await results.read(7);
  return found;
}

/** Whether the outcome is disclosed. */
const isDisclosed = async (situation: Situation) => (await resultsOf(situation))?.list[0]?.isDisclosed;
const both = { effects: { gasUsed: 1n, entered: [CALLED, INNER] } };

describe('the outcome of a transaction that another party sent', () => {
  it('is disclosed when the party is proved to have each contract that was entered', async () => {
    expect(await isDisclosed({ proved: new Map([[CALLED, OTHER]]) })).toBe(true);
    expect(await isDisclosed({ sentTo: [CALLED] })).toBe(true);
    expect(await isDisclosed({ receipt: receiptOf({ contractAddress: CALLED }) })).toBe(true);
  });

  it('is not disclosed otherwise, and its details neither', async () => {
    for (const situation of [
      {},
      { proved: new Map([[CALLED, keyOf(3)]]) },
      { receipt: receiptOf(both), proved: new Map([[CALLED, OTHER]]) },
    ]) {
      const found = await resultsOf(situation);
      expect(found?.list[0]).toMatchObject({
        isDisclosed: false,
        digest: expect.not.stringMatching(UNDISCLOSED),
      });
      expect(found?.outcomes).toEqual([]);
    }
  });

  it('is disclosed to a party that the operator has named, without any contract becoming a shared one', async () => {
    const named = await resultsOf({ receipt: receiptOf(both), openTo: new Set([OTHER]) });
    expect(named?.list[0]).toMatchObject({ isDisclosed: true });
    expect(named?.outcomes).toHaveLength(1);
    expect(named?.contracts.size).toBe(0);
    expect(await isDisclosed({ openTo: new Set([keyOf(3)]) })).toBe(false);
  });

  it('makes a contract no shared one by being sent', async () => {
    const found = await resultsOf({ proved: new Map([[CALLED, OTHER]]) });
    expect(found?.contracts.get(CALLED)).toMatchObject({ isShared: false });
    expect((await resultsOf({}))?.contracts.size).toBe(0);
  });
});

describe('the outcome of a transaction that this node sent', () => {
  it('is disclosed when it entered the contract to which it was sent alone', async () => {
    expect(await isDisclosed({ sender: OWN })).toBe(true);
    expect(await isDisclosed({ sender: OWN, receipt: receiptOf(both) })).toBe(false);
    expect((await resultsOf({ sender: OWN }))?.contracts.get(CALLED)).toMatchObject({ isShared: true });
  });

  it('is not known where a version before has stored it', async () => {
    const found = await resultsOf({ sender: OWN, receipt: receiptOf({ effects: undefined }) });
    expect(found?.list).toEqual([{ hash: receiptOf().hash, digest: UNDISCLOSED, isDisclosed: false }]);
  });
});
