import type { pazkpRedemptionMethods } from '@tetrad/api-rollup-operator';
import { decodeWord, splitTotalIndex } from '@tetrad/rollup-crypto';
import { readMoneyOrderRedemption } from '@tetrad/rollup-operations';
import { findOperationRecord, listOperationRecords, type OperationRecord } from '@tetrad/rollup-records';
import type { Handlers } from '@tetrad/rpc';
import type { OperatorParts } from './operator-parts.js';
import { orderItem, pageView, redemptionRecord } from './wire-records.js';
import { hashOfWord, wordOfHash } from './wire-words.js';

export function redemptionHandlers(parts: OperatorParts): Handlers<typeof pazkpRedemptionMethods> {
  const { store, accounts, acceptance } = parts;
  return {
    pazkp_redeemMoneyOrder: async ([
      fromAccountId,
      toAccountId,
      tokenId,
      amount,
      blinding,
      totalIndex,
      nonce,
      ciphertext,
      randomizationFactor,
      signature,
      merkleProof,
    ]) => {
      const order = { fromAccountId, toAccountId, tokenId, amount, blindingFactor: decodeWord(blinding) };
      const operation = readMoneyOrderRedemption({ order, totalIndex, nonce }, { ciphertext, signature });
      const proof = merkleProof?.map(wordOfHash);
      const hash = await acceptance.redeemMoneyOrder(operation, randomizationFactor, proof);
      return { operationHash: hashOfWord(hash) };
    },
    pazkp_findMoneyOrderRedemption: async ([operationHash]) => {
      const record = await findOperationRecord(store, wordOfHash(operationHash), 'redeemMoneyOrder');
      return record === undefined ? null : redemptionRecord(record, await pathOf(parts, record));
    },
    pazkp_listMoneyOrderRedemptions: async ([
      fromNonce,
      softLimit,
      fromAccountId,
      toAccountId,
      status,
      minAmount,
      maxAmount,
    ]) => {
      if (toAccountId !== undefined) await accounts.get(toAccountId);
      const query = { fromAccountId, toAccountId, status, minAmount, maxAmount };
      const window = { kind: 'redeemMoneyOrder', fromNonce, softLimit } as const;
      return pageView(await listOperationRecords(store, { ...window, ...query }), orderItem);
    },
  };
}

/** An order that was accepted for redemption was final, unless the chain took its batch back since. */
async function pathOf(
  { store, proofs }: OperatorParts,
  { stored }: OperationRecord,
): Promise<bigint[] | undefined> {
  const { totalIndex } = stored;
  if (totalIndex === undefined || splitTotalIndex(totalIndex).batchHeight > (await store.finalHeight())) {
    return undefined;
  }
  return proofs.pathOf(totalIndex);
}
