import { defineMethod, optionalParam, param } from '@tetrad/rpc';
import { ETHEREUM_ADDRESS, INCLUSION, OPERATION_HASH, OUTBOUND, SIGNATURE } from '../examples.js';
import { ACCOUNT_ID_BEFORE_HASH, HASH_AS_HEX, textForInteger } from '../tolerances.js';
import { acceptedCodec, listOf, outboundCodec, outboundItemCodec } from '../wire/records.js';
import { ethereumAddressCodec } from '../wire/values.js';
import {
  OPERATION_ERRORS,
  SOURCE,
  amount,
  fromAccountId,
  fromNonce,
  maxAmount,
  minAmount,
  nonce,
  operationHash,
  signature,
  softLimit,
  tokenId,
  wantedStatus,
} from './params.js';

/** Outbound transfers: balance of an account is paid to an Ethereum address. */
export const pazkpOutboundTransferMethods = {
  pazkp_createOutboundTransfer: defineMethod({
    summary: 'Queues a transfer from an account to an Ethereum address.',
    params: [
      fromAccountId,
      param('toEthereumAddress', ethereumAddressCodec, 'receiving address'),
      tokenId,
      amount,
      nonce,
      signature,
    ],
    result: acceptedCodec,
    errors: OPERATION_ERRORS,
    accepts: [textForInteger(0, 2, 4), HASH_AS_HEX],
    source: SOURCE,
    examples: [
      {
        summary: 'queues one',
        params: [4, ETHEREUM_ADDRESS, 1, 2500, 2, SIGNATURE],
        result: { operationHash: OPERATION_HASH },
      },
    ],
  }),
  pazkp_findOutboundTransfer: defineMethod({
    summary: 'An outbound transfer, null when it is unknown.',
    params: [operationHash],
    result: outboundCodec.nullable(),
    accepts: [ACCOUNT_ID_BEFORE_HASH, HASH_AS_HEX],
    source: SOURCE,
    examples: [
      { summary: 'that was rejected', params: [OPERATION_HASH], result: OUTBOUND },
      {
        summary: 'that was executed',
        params: [4, OPERATION_HASH],
        result: { ...OUTBOUND, status: 'EXECUTED', rejectionReason: null, batchHeight: 8, ...INCLUSION },
      },
    ],
  }),
  pazkp_listOutboundTransferCreations: defineMethod({
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
    result: listOf(outboundItemCodec),
    errors: ['ROLLUP_ACCOUNT_NOT_FOUND', 'RESPONSE_TOO_LARGE'],
    accepts: [textForInteger(0, 1, 2), HASH_AS_HEX],
    source: SOURCE,
    examples: [
      {
        summary: 'of any status',
        params: [1, 20, 4, null, null, 1000, null],
        result: { hasMoreResults: false, items: [OUTBOUND] },
      },
    ],
  }),
};
