import { describe, expect, it } from '@jest/globals';
import { keccakHash } from '@tetrad/crypto';
import { signTransaction } from '@tetrad/transactions';
import { parseAddress, type Hash, type SignedTransaction } from '@tetrad/types';
import { decodeTransaction, TransactionDecodeError } from './decode-transaction.js';
import { DecodedTransactions } from './decoded-transactions.js';

const CHAIN_ID = 1337n;

function signed(nonce: bigint, bytes = 0): { readonly raw: Uint8Array; readonly hash: Hash } {
  const to = parseAddress(`0x${'11'.repeat(20)}`);
  const content = { gasLimit: 21_000n, to, value: 1n, data: new Uint8Array(bytes) };
  const fees = { type: 'legacy', gasPrice: 0n } as const;
  const raw = signTransaction({ chainId: CHAIN_ID, nonce, ...content, fees }, new Uint8Array(32).fill(1));
  return { raw, hash: keccakHash(raw) };
}

/** Decoded transactions with a count of how often a sender was recovered on a thread. */
function decoded() {
  const onThread: Hash[] = [];
  const decoder = {
    async decode(raw: Uint8Array, hash?: Hash): Promise<SignedTransaction> {
      if (hash !== undefined) onThread.push(hash);
      return decodeTransaction(raw, CHAIN_ID, hash);
    },
  };
  return { transactions: new DecodedTransactions({ chainId: CHAIN_ID, decoder }), onThread };
}

describe('transactions that arrive in a block and by gossip', () => {
  it('are decoded once, whichever arrives first', async () => {
    const { transactions, onThread } = decoded();
    const [one, other] = [signed(0n), signed(1n)];
    const ofBlock = await transactions.ofBlock(one.raw, one.hash);
    expect(ofBlock).toEqual(decodeTransaction(one.raw, CHAIN_ID));
    expect(await transactions.ofGossip(one.raw, one.hash)).toBe(ofBlock);
    const ofGossip = await transactions.ofGossip(other.raw, other.hash);
    expect(await transactions.ofBlock(other.raw, other.hash)).toBe(ofGossip);
    expect(onThread).toEqual([one.hash]);
  });

  it('are decoded once when they arrive at the same time', async () => {
    const { transactions, onThread } = decoded();
    const { raw, hash } = signed(0n);
    const all = [transactions.ofBlock(raw, hash), transactions.ofGossip(raw, hash)];
    const [one, other] = await Promise.all([...all, transactions.ofBlock(raw, hash)]);
    expect(other).toBe(one);
    expect(onThread).toEqual([hash]);
  });

  it('are refused each time when they cannot be decoded', async () => {
    const { transactions } = decoded();
    const raw = Uint8Array.of(0xc0);
    for (let time = 0; time < 2; time++) {
      await expect(transactions.ofBlock(raw, keccakHash(raw))).rejects.toThrow(TransactionDecodeError);
      await expect(transactions.ofGossip(raw, keccakHash(raw))).rejects.toThrow(TransactionDecodeError);
    }
  });

  it('are dropped beyond the limit in bytes', async () => {
    const { transactions, onThread } = decoded();
    const large = Array.from({ length: 17 }, (_, nonce) => signed(BigInt(nonce), 1_048_576));
    for (const { raw, hash } of large) await transactions.ofBlock(raw, hash);
    for (const { raw, hash } of [large[16], large[0]] as typeof large) await transactions.ofBlock(raw, hash);
    expect(onThread.length).toBe(18);
  });
});
