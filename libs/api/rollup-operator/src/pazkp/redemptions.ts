import { optionalParam, param } from '@tetrad/rpc';
import {
  BLINDING,
  CIPHERTEXT,
  EXECUTED,
  INCLUSION,
  OPERATION_HASH,
  RANDOMIZATION,
  SIBLING,
  SIGNATURE,
  TOTAL_INDEX,
} from '../examples.js';
import { textForInteger } from '../tolerances.js';
import { redemptionCodec, redemptionItemCodec } from '../wire/records.js';
import { merkleProofParamCodec, totalIndexSchema } from '../wire/values.js';
import { defineCreation, defineFind, defineListing } from './operation-methods.js';
import {
  amount,
  blindingFactor,
  encrypted,
  fromAccountId,
  fromNonce,
  maxAmount,
  minAmount,
  nonce,
  randomizationFactor,
  signature,
  softLimit,
  toAccountId,
  tokenId,
  wantedFrom,
  wantedStatus,
  wantedTo,
} from './params.js';

/** Redemptions: a received money order becomes balance. */
export const pazkpRedemptionMethods = {
  pazkp_redeemMoneyOrder: defineCreation({
    summary: 'Queues the redemption of a received money order.',
    params: [
      fromAccountId,
      toAccountId,
      tokenId,
      amount,
      blindingFactor,
      param('moneyOrderTotalIndex', totalIndexSchema, 'batch id in 4 bytes, index in 2'),
      nonce,
      encrypted('encryptedMoneyOrderRedeem'),
      randomizationFactor,
      signature,
      optionalParam(
        'merkleProof',
        merkleProofParamCodec,
        'from the order to the root of its batch; known when left out',
      ),
    ],
    errors: [
      'INVALID_ENCRYPTION',
      'MONEY_ORDER_NOT_FOUND',
      'MONEY_ORDER_ALREADY_REDEEMED',
      'EARLIER_MONEY_ORDER_OPEN',
      'INVALID_MERKLE_PROOF',
    ],
    accepts: [
      textForInteger(0, 1, 2, 5, 6),
      {
        what: 'null for the Merkle proof',
        source: 'interface document, "Rollup operator interface": a sample request passes null',
        normalize: (params) => params,
      },
    ],
    examples: [
      {
        summary: 'without the Merkle proof',
        params: [4, 9, 1, 2500, BLINDING, TOTAL_INDEX, 1, CIPHERTEXT, RANDOMIZATION, SIGNATURE, null],
      },
      {
        summary: 'with the Merkle proof',
        params: [4, 9, 1, 2500, BLINDING, TOTAL_INDEX, 1, CIPHERTEXT, RANDOMIZATION, SIGNATURE, SIBLING],
      },
    ],
  }),
  pazkp_findMoneyOrderRedemption: defineFind({
    summary: 'A redemption, null when it is unknown.',
    found: redemptionCodec,
    examples: [
      {
        summary: 'that was executed',
        params: [9, OPERATION_HASH],
        result: { ...EXECUTED, ...INCLUSION, merkleProof: [SIBLING] },
      },
    ],
  }),
  pazkp_listMoneyOrderRedemptions: defineListing({
    summary: 'Redemptions, from a nonce on.',
    params: [fromNonce, softLimit, wantedFrom, wantedTo, wantedStatus, minAmount, maxAmount],
    item: redemptionItemCodec,
    accepts: [textForInteger(0, 1, 2, 3)],
    examples: [
      {
        summary: 'of an account',
        params: [1, 20, null, 9, 'EXECUTED', null, null],
        result: { hasMoreResults: false, items: [EXECUTED] },
      },
    ],
  }),
};
