import { describe, expect, it } from '@jest/globals';
import type { AccountProof, ProvedRedemption, ProvedTransfer } from '@tetrad/rollup-chain';
import {
  ciphertextWords,
  decodeText,
  encodeCiphertext,
  encrypt,
  multiplyGenerator,
  operationHash,
} from '@tetrad/rollup-crypto';
import type { Address } from '@tetrad/types';
import { requestedRow } from './requested-row.js';

const DOMAIN = 77n;
const place = { blockNumber: 12, logIndex: 3, height: 6 };
const recipient = '0x00000000000000000000000000000000000000a1' as Address;
const signature = { R: multiplyGenerator(5n), s: 6n };
const account: AccountProof = {
  id: 4,
  publicKey: multiplyGenerator(2n),
  jointKeyHash: 1n,
  balancesRoot: 2n,
  nonce: 8,
  redemptionIndex: 0,
  blindingFactor: 3n,
  siblings: [],
  historyRoot: 4n,
};
const transfer: ProvedTransfer = {
  account,
  balance: { tokenId: 1, amount: 90n, siblings: [] },
  amount: 70n,
  recipient,
  signature,
};
const redemption = (text: readonly bigint[]): ProvedRedemption => ({
  account,
  balance: transfer.balance,
  text,
  signature,
  order: {
    fromAccountId: 9,
    tokenId: 1,
    amount: 30n,
    blindingFactor: 5n,
    totalIndex: 65_537,
    siblings: [],
    historySiblings: [],
  },
});

describe('the operation of a request', () => {
  it('is the transfer with the nonce after that of the proof', () => {
    const row = requestedRow(
      { kind: 'transferRequested', accountId: 4, overdueAt: 0, transfer },
      place,
      DOMAIN,
    );
    const operation = {
      kind: 'outboundTransfer',
      fromAccountId: 4,
      toEthereumAddress: recipient,
      tokenId: 1,
      amount: 70n,
      nonce: 9,
      signature,
    } as const;
    expect(row).toEqual({
      ...place,
      tokenId: 1,
      amount: 70n,
      nonce: 9,
      operation,
      hash: operationHash(DOMAIN, operation),
      proved: {
        id: 4,
        publicKey: account.publicKey,
        jointKey: { hash: 1n },
        blindingFactor: 3n,
        nonce: 8,
        redemptionIndex: 0,
        tokenId: 1,
        balance: 90n,
        siblings: [],
      },
    });
  });

  it.each([
    [
      'a ciphertext',
      ciphertextWords(
        encrypt([1n, 2n], { user: multiplyGenerator(3n), operator: multiplyGenerator(4n) }, 5n),
      ),
    ],
    ['no ciphertext', Array.from({ length: 15 }, (_, index) => BigInt(index + 90))],
    ['nothing', Array.from({ length: 15 }, () => 0n)],
  ])('is a redemption with the text that was signed, also when that is %s', (_, text) => {
    const event = {
      kind: 'redemptionRequested',
      accountId: 4,
      overdueAt: 0,
      redemption: redemption(text),
    } as const;
    const { operation, amount, tokenId } = requestedRow(event, place, DOMAIN);
    if (operation.kind !== 'redeemMoneyOrder') throw new TypeError(operation.kind);
    const { order, totalIndex, nonce, ciphertext } = operation;
    expect(order).toEqual({ fromAccountId: 9, toAccountId: 4, tokenId: 1, amount: 30n, blindingFactor: 5n });
    expect([amount, tokenId, totalIndex, nonce]).toEqual([30n, 1, 65_537, 9]);
    expect(ciphertextWords(ciphertext)).toEqual(text);
    // As the rows keep it.
    expect(decodeText(encodeCiphertext(ciphertext))).toEqual(ciphertext);
  });
});
