import type { pazkpRedemptionMethods } from '@tetrad/api-rollup-operator';
import { decodeWord } from '@tetrad/rollup-crypto';
import {
  readMoneyOrderRedemption,
  findOperationRecord,
  listOperationRecords,
} from '@tetrad/rollup-operations';
import type { Handlers } from '@tetrad/rpc';
import type { OperatorParts } from './operator-parts.js';
import { orderItem, pageView, redemptionRecord, hashOfWord, wordOfHash } from './wire-records.js';

export function redemptionHandlers(
  parts: Pick<OperatorParts, 'acceptance' | 'accounts' | 'accessOf' | 'proofs' | 'store'>,
): Handlers<typeof pazkpRedemptionMethods> {
  const { store, accounts, acceptance, accessOf, proofs } = parts;
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
      if (record === undefined) return null;
      return redemptionRecord(record, await proofs.findPath(record.stored.totalIndex));
    },
    pazkp_listMoneyOrderRedemptions: async (
      [fromNonce, softLimit, fromAccountId, toAccountId, status, minAmount, maxAmount],
      context,
    ) => {
      if (toAccountId !== undefined) await accounts.get(toAccountId);
      const toAccountIds = toAccountId === undefined ? accessOf(context).accountIds : undefined;
      const query = { fromAccountId, toAccountId, toAccountIds, status, minAmount, maxAmount };
      const window = { kind: 'redeemMoneyOrder', fromNonce, softLimit } as const;
      return pageView(await listOperationRecords(store, { ...window, ...query }), orderItem);
    },
  };
}
