import { describe, expect, it } from '@jest/globals';
import { encodeWord, totalIndex, type ConsentTerms } from '@tetrad/rollup-crypto';
import { ProofError, provedCredits, type CreditItem, type OperatorClient } from '../src/index.js';
import { FIRST, SECOND, creditedHistory } from './credited-history.js';

const { rollup, alice, bob } = creditedHistory();
/** What came to Bob: by his first consent of Alice, and by his second one a deposit. */
const CAME: readonly CreditItem[] = [
  { totalIndex: totalIndex(4, 1), fromAccountId: alice.id, amount: 40n },
  { totalIndex: totalIndex(5, 2), fromAccountId: 0, amount: 3n },
].map((item) => ({
  ...item,
  toAccountId: bob.id,
  tokenId: 0,
  batchHeight: Math.floor(item.totalIndex / 65_536),
}));

const shown = (terms: ConsentTerms, nonce: number) => ({
  accountId: bob.id,
  terms: { ...terms, secret: encodeWord(terms.secret) },
  nonce,
  status: 'EXECUTED',
});

/** What is proved of a list of an operator. */
async function proved(
  items: readonly CreditItem[],
  consents: readonly unknown[] = [shown(FIRST, 1), { ...shown(FIRST, 2), terms: null }, shown(SECOND, 3)],
): Promise<CreditItem[]> {
  const lists: Readonly<Record<string, readonly unknown[]>> = {
    rollup_listCredits: items,
    rollup_listConsentChanges: consents,
  };
  const call = async (method: string) => ({ hasMoreResults: false, items: lists[method] });
  const sources = {
    operator: { call } as unknown as OperatorClient,
    contract: rollup.contract(),
    keys: bob.keys,
    fromBlock: 0,
  };
  const given: CreditItem[] = [];
  for await (const item of provedCredits(sources, { accountId: bob.id })) given.push(item);
  return given;
}

describe('credits that an operator lists', () => {
  it('are given when the contract has them, whichever consent they came by', async () => {
    expect(await proved(CAME)).toEqual(CAME);
  });

  it.each<[string, Partial<CreditItem>]>([
    ['of another amount', { amount: 41n }],
    ['of another payer', { fromAccountId: 0 }],
    ['of another token', { tokenId: 1 }],
    ['to another account', { toAccountId: alice.id }],
    ['in another batch', { batchHeight: 5 }],
    ['at the place of the payment', { totalIndex: totalIndex(4, 0) }],
    ['at a place that the batch does not have', { totalIndex: totalIndex(4, 9) }],
    ['at the place of another credit', { totalIndex: totalIndex(5, 2), batchHeight: 5 }],
  ])('are refused %s', async (_, lie) => {
    const [first] = CAME;
    await expect(proved([{ ...(first as CreditItem), ...lie }])).rejects.toThrow(ProofError);
  });

  it('are refused without the consent that they came by, or with another secret', async () => {
    await expect(proved(CAME, [])).rejects.toThrow(ProofError);
    await expect(proved(CAME, [shown(SECOND, 1)])).rejects.toThrow(ProofError);
    await expect(proved(CAME, [shown({ ...FIRST, secret: 14n }, 1)])).rejects.toThrow(ProofError);
    // The minimum is part of what was signed.
    await expect(proved(CAME, [shown({ ...FIRST, minimum: 6n }, 1)])).rejects.toThrow(ProofError);
  });

  it('are refused in a batch that the contract has not', async () => {
    const item = { ...(CAME[0] as CreditItem), totalIndex: totalIndex(9, 1), batchHeight: 9 };
    await expect(proved([item])).rejects.toThrow('the contract has no batch 9');
  });
});
