import { describe, expect, it } from '@jest/globals';
import { keccakHash } from '@tetrad/crypto';
import { DecodedTransactions, decodeTransaction } from '@tetrad/node-execution';
import { signTransaction } from '@tetrad/transactions';
import { RequestError, ZERO_ADDRESS, type SignedTransaction } from '@tetrad/types';
import { poolPort } from './pool-port.js';

const CHAIN_ID = 1337n;
const KEY = new Uint8Array(32).fill(1);

function signed(chainId: bigint, nonce: bigint): Uint8Array {
  const fees = { type: 'legacy', gasPrice: 0n } as const;
  const content = { gasLimit: 21_000n, to: ZERO_ADDRESS, value: 0n, data: new Uint8Array(0) };
  return signTransaction({ chainId, nonce, ...content, fees }, KEY);
}

describe('transactions from peers', () => {
  const taken: SignedTransaction[] = [];
  const pool = {
    find: () => undefined,
    oldest: () => [],
    onTransaction: () => () => undefined,
    addRemote: async (transaction: SignedTransaction) => {
      if (transaction.nonce === 7n) throw new RequestError('NONCE_TOO_LOW', 'nonce too low');
      taken.push(transaction);
    },
  };

  it('are checked one by one: invalid for an honest node, refused by this pool, or accepted', async () => {
    const raws = [
      signed(CHAIN_ID, 0n),
      Uint8Array.of(0xc0),
      Uint8Array.of(),
      signed(2n, 0n),
      signed(CHAIN_ID, 7n),
      signed(CHAIN_ID, 1n),
    ];
    const decoder = { decode: async (raw: Uint8Array) => decodeTransaction(raw, CHAIN_ID) };
    const decoded = new DecodedTransactions({ chainId: CHAIN_ID, decoder });
    const outcomes = await poolPort(pool, decoded).add(raws.map((raw) => ({ raw, hash: keccakHash(raw) })));
    expect(outcomes).toEqual(['accepted', 'invalid', 'invalid', 'invalid', 'refused', 'accepted']);
    expect(taken.map(({ hash }) => hash)).toEqual([raws[0], raws[5]].map((raw) => keccakHash(raw ?? KEY)));
  });
});
