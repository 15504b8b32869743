import { optionalParam, param } from '@tetrad/rpc';
import { ETHEREUM_ADDRESS, INCLUSION, OPERATION_HASH, OUTBOUND, SIGNATURE } from '../examples.js';
import { HASH_AS_HEX, textForInteger } from '../tolerances.js';
import { outboundCodec, outboundItemCodec } from '../wire/records.js';
import { ethereumAddressCodec } from '../wire/values.js';
import { defineCreation, defineFind, defineListing } from './operation-methods.js';
import {
  amount,
  fromAccountId,
  fromNonce,
  maxAmount,
  minAmount,
  nonce,
  signature,
  softLimit,
  tokenId,
  wantedStatus,
} from './params.js';

/** Outbound transfers: balance of an account is paid to an Ethereum address. */
export const pazkpOutboundTransferMethods = {
  pazkp_createOutboundTransfer: defineCreation({
    summary: 'Queues a transfer from an account to an Ethereum address.',
    params: [
      fromAccountId,
      param('toEthereumAddress', ethereumAddressCodec, 'receiving address'),
      tokenId,
      amount,
      nonce,
      signature,
    ],
    errors: ['TRANSFER_AMOUNT_TOO_LOW'],
    accepts: [textForInteger(0, 2, 4), HASH_AS_HEX],
    examples: [
      {
        summary: 'queues one',
        params: [4, ETHEREUM_ADDRESS, 1, 2500, 2, SIGNATURE],
      },
    ],
  }),
  pazkp_findOutboundTransfer: defineFind({
    summary: 'An outbound transfer, null when it is unknown.',
    found: outboundCodec,
    examples: [
      { summary: 'that was rejected', params: [OPERATION_HASH], result: OUTBOUND },
      {
        summary: 'that was executed',
        params: [4, OPERATION_HASH],
        result: { ...OUTBOUND, status: 'EXECUTED', rejectionReason: null, batchHeight: 8, ...INCLUSION },
      },
    ],
  }),
  pazkp_listOutboundTransferCreations: defineListing({
    summary: 'Outbound transfers of an account, from a nonce on.',
    params: [
      fromNonce,
      softLimit,
      fromAccountId,
      optionalParam('toEthereumAddress', ethereumAddressCodec, 'only to this address'),
      wantedStatus,
      minAmount,
      maxAmount,
    ],
    item: outboundItemCodec,
    accepts: [textForInteger(0, 1, 2), HASH_AS_HEX],
    examples: [
      {
        summary: 'of any status',
        params: [1, 20, 4, null, null, 1000, null],
        result: { hasMoreResults: false, items: [OUTBOUND] },
      },
    ],
  }),
};
