import { beforeEach, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { parseAddress, parsePtmKey } from '@tetrad/types';
import {
  missedBlocks,
  payloadHash,
  type MissedBlocks,
  type PayloadHash,
  type PayloadSource,
  type PrivatePayload,
} from '../src/index.js';
import { NODE, markedTransaction, markerOf, privateTransaction } from './node-transactions.js';
import { CHAIN_ID } from './recorded-chain.js';

const TO = parseAddress(`0x${'11'.repeat(20)}`);
const KEY = parsePtmKey('BULeR8JyUWhiuuCMU/HLA0Q5pzkYT+cHII3ZKBey3Bo=');
const hashOf = (index: number) => new Uint8Array(64).fill(index);

/** Payloads that the manager has by now. */
const payloads = new Map<PayloadHash, PrivatePayload>();
/** Why the manager cannot say whether it has others. */
let doubt: string | undefined;
beforeEach(() => {
  payloads.clear();
  doubt = undefined;
});

function keep(index: number, text = ''): void {
  const metadata = {
    privacyFlag: 0,
    affectedCreations: new Set<PayloadHash>(),
    managedParties: [KEY],
  } as const;
  payloads.set(payloadHash(hashOf(index)), { ...metadata, data: Buffer.from(text), sender: KEY });
}

const find: PayloadSource['find'] = async (hash) => {
  const payload = payloads.get(hash);
  if (payload !== undefined) return { kind: 'payload', payload };
  return doubt === undefined ? { kind: 'notParty' } : { kind: 'unavailable', reason: doubt };
};

/**
 * @param raws - transactions without a private receipt, one in each block from 1 on
 * @param head - of private state
 */
function missedIn(raws: readonly Uint8Array[], head = raws.length): Promise<MissedBlocks> {
  const sender = addressFromPrivateKey(NODE);
  const all = raws.map((raw, index) => ({ number: index + 1, index: 0, raw, sender }));
  const rows = {
    findPrivateHead: async () => head,
    list: async (after: { readonly number: number }, upTo: number, most: number) =>
      all.filter(({ number }) => number > after.number && number <= upTo).slice(0, most),
  };
  return missedBlocks({ rows, payloads: { find }, chainId: CHAIN_ID });
}

describe('blocks that were executed without a payload', () => {
  it('are those whose payload is here by now, the first of which is where private state is wrong from', async () => {
    const raws = [1, 2, 3, 4].map((index) => privateTransaction(BigInt(index), hashOf(index), { to: TO }));
    keep(2);
    keep(4);
    expect(await missedIn(raws)).toEqual({ from: 2, count: 2, blocks: [2, 4] });
    // What has not been executed yet was not missed.
    expect(await missedIn(raws, 3)).toEqual({ from: 2, count: 1, blocks: [2] });
    payloads.clear();
    expect(await missedIn(raws)).toEqual({ from: undefined, count: 0, blocks: [] });
  });

  it('are not named while the manager cannot say what it lost', async () => {
    doubt = 'payloads may be missing';
    await expect(missedIn([privateTransaction(0n, hashOf(1), { to: TO })])).rejects.toThrow(
      'block 1: payloads may be missing',
    );
  });

  it('are read from as many transactions as a chain has', async () => {
    const raw = privateTransaction(0n, hashOf(1), { to: TO });
    keep(1);
    const missed = await missedIn(new Array<Uint8Array>(2_100).fill(raw));
    expect([missed.from, missed.count, missed.blocks.length]).toEqual([1, 2_100, 1_000]);
  });
});

describe('the block of a marker', () => {
  const marker = markerOf(7n, hashOf(1));

  it('is one when the payloads of marker and transaction are here', async () => {
    keep(1, markedTransaction(7n, hashOf(2), { to: TO }));
    expect((await missedIn([marker])).from).toBeUndefined();
    keep(2);
    expect((await missedIn([marker])).from).toBe(1);
  });

  it('is one when the transaction is a creation, which leaves an account also without its payload', async () => {
    keep(1, markedTransaction(7n, hashOf(2)));
    expect((await missedIn([marker])).from).toBe(1);
  });

  it.each([
    ['a transaction of another nonce', markedTransaction(8n, hashOf(2), { to: TO })],
    ['something else', 'text'],
  ])(
    'is not one when its payload is %s, by which any member could have it executed again',
    async (_, text) => {
      keep(1, text);
      keep(2);
      expect((await missedIn([marker])).from).toBeUndefined();
    },
  );
});
