import { describe, expect, it } from '@jest/globals';
import { EMPTY_ROOT } from '@tetrad/node-block';
import type { PlacedTransaction } from '@tetrad/node-store';
import { privateEnvelopeOf, signTransaction } from '@tetrad/transactions';
import { keccak256, signDigest } from '@tetrad/crypto';
import { ZERO_ADDRESS, ZERO_HASH, parseHash, type Hash } from '@tetrad/types';
import { backupHeight } from './backup-height.js';

const CHAIN_ID = 1337;
const KEY = new Uint8Array(32).fill(7);
const ROOT = parseHash(`0x${'12'.repeat(32)}`);
const HEAD = 5_000;
const fields = { nonce: 0n, gasLimit: 90_000n, to: ZERO_ADDRESS, value: 0n, data: new Uint8Array(64) };

const publicRaw = signTransaction(
  { ...fields, chainId: BigInt(CHAIN_ID), fees: { type: 'legacy', gasPrice: 0n } },
  KEY,
);
const envelope = privateEnvelopeOf({ ...fields, gasPrice: 0n });
const privateRaw = envelope.raw(signDigest(keccak256(envelope.preimage()), KEY));

/** A database with a transaction in each block, of which some are private; `pages`: number of queries. */
function database(options: {
  readonly followed?: number;
  readonly privateBlocks?: readonly number[];
  readonly root?: Hash;
  readonly isEmpty?: boolean;
}) {
  const asked = { pages: 0 };
  const transactionAt = (number: number): PlacedTransaction => ({
    number,
    index: 0,
    sender: ZERO_ADDRESS,
    raw: options.privateBlocks?.includes(number) === true ? privateRaw : publicRaw,
  });
  const rows = {
    findChain: async () =>
      options.isEmpty === true ? undefined : { chainId: CHAIN_ID, genesisHash: ZERO_HASH, head: HEAD },
    findPrivateHead: async () => options.followed,
    findBlock: async (number: number) => (number > HEAD ? undefined : { hash: ZERO_HASH, stateRoot: ROOT }),
    findPrivateRoot: async () => options.root,
    listTransactions: async ({ number, index }: { number: number; index: number }, most: number) => {
      asked.pages++;
      const from = index < 0 ? number : number + 1;
      const count = Math.max(0, Math.min(most, HEAD - from + 1));
      return Array.from({ length: count }, (_, at) => transactionAt(from + at));
    },
  };
  return { rows, asked };
}

describe('the height of a backup', () => {
  it('is the head on a node without private state', async () => {
    const { rows, asked } = database({});
    expect(await backupHeight(rows)).toEqual({
      chainId: CHAIN_ID,
      genesisHash: ZERO_HASH,
      head: HEAD,
      number: HEAD,
      hash: ZERO_HASH,
      stateRoot: ROOT,
      privateStateRoot: undefined,
    });
    expect(asked.pages).toBe(0);
  });

  it('is the block before the first private one that private state has not followed', async () => {
    const { rows, asked } = database({ followed: 100, privateBlocks: [90, 100, 3_210, 3_300], root: ROOT });
    expect(await backupHeight(rows)).toMatchObject({ number: 3_209, privateStateRoot: ROOT });
    expect(asked.pages).toBe(4);
  });

  it('is the head where all blocks that are left are public', async () => {
    const { rows } = database({ followed: 100, privateBlocks: [100] });
    expect(await backupHeight(rows)).toMatchObject({ number: HEAD, privateStateRoot: EMPTY_ROOT });
  });

  it('is the last followed block when the next one is private', async () => {
    const { rows } = database({ followed: 100, privateBlocks: [101] });
    expect((await backupHeight(rows)).number).toBe(100);
  });

  it('fails where no chain is stored', async () => {
    await expect(backupHeight(database({ isEmpty: true }).rows)).rejects.toThrow(
      'the database contains no chain yet',
    );
  });
});
