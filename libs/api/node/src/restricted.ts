import {
  addressCodec,
  dataCodec,
  defineMethod,
  hashCodec,
  indexCodec,
  param,
  quantityCodec,
} from '@tetrad/rpc';
import { z } from 'zod';
import {
  ACCOUNT,
  CONTRACT,
  BLOCK_HASH,
  EMPTY_BLOOM,
  LOG,
  OTHER_PTM_KEY,
  PTM_KEY,
  TRANSACTION_HASH,
} from './examples.js';
import { POOL_ERRORS } from './errors.js';
import { logCodec } from './wire/log.js';
import { bareData } from './tolerances.js';
import { ptmKeyCodec } from './wire/ptm-key.js';

const SOURCE = 'Enterprise Ethereum client specification, and Besu, "priv"';

const STATE_ERRORS = ['PRIVACY_NOT_AVAILABLE', 'PRIVATE_STATE_NOT_AVAILABLE'] as const;

/** What a restricted private transaction left in the private state of a party. */
const restrictedReceiptCodec = z.object({
  blockHash: hashCodec,
  blockNumber: indexCodec,
  /** Transaction hash of the privacy marker transaction. */
  transactionHash: hashCodec,
  transactionIndex: indexCodec,
  /** Commitment hash of the restricted transaction. */
  commitmentHash: hashCodec,
  from: addressCodec,
  to: addressCodec.nullable(),
  contractAddress: addressCodec.nullable(),
  /** What a revert returned; empty otherwise. */
  output: dataCodec,
  /** 1 when the transaction ran to its end, 0 when it did not. */
  status: indexCodec,
  logs: z.array(logCodec),
  logsBloom: dataCodec,
  privateFrom: ptmKeyCodec,
  privateFor: z.array(ptmKeyCodec).optional(),
  privacyGroupId: ptmKeyCodec.optional(),
});

export type RestrictedReceiptView = z.output<typeof restrictedReceiptCodec>;

/** Restricted private transactions, as clients of Besu and signing proxies send them. */
export const restrictedMethods = {
  eea_sendRawTransaction: defineMethod({
    summary:
      'Distributes a signed restricted private transaction and submits a privacy marker transaction for it, which the node signs.',
    params: [param('transaction', dataCodec, 'signed restricted transaction')],
    result: hashCodec,
    errors: [
      'MALFORMED_TRANSACTION',
      'NONCE_TOO_HIGH',
      ...POOL_ERRORS,
      ...STATE_ERRORS,
      'PARTIES_LEFT_OUT',
      'TRANSACTION_MANAGER_REFUSED',
      'TRANSACTION_MANAGER_UNAVAILABLE',
    ],
    source: SOURCE,
    examples: [
      {
        summary: 'submits a transaction; the hash is that of the marker',
        params: ['0xf8fc'],
        result: TRANSACTION_HASH,
      },
    ],
    accepts: [
      bareData('web3js-quorum 22.4.0, "generateAndSendRawTransaction" with Besu, which reads both', 0),
    ],
  }),
  priv_getTransactionCount: defineMethod({
    summary: 'How many restricted transactions an account has sent in a privacy group: its next nonce there.',
    params: [
      param('address', addressCodec, 'account'),
      param('privacyGroupId', ptmKeyCodec, 'privacy group'),
    ],
    result: quantityCodec,
    errors: STATE_ERRORS,
    source: SOURCE,
    examples: [{ summary: 'before the first', params: [ACCOUNT, PTM_KEY], result: '0x0' }],
  }),
  priv_getEeaTransactionCount: defineMethod({
    summary: 'The same for the group that a sender and recipients make up.',
    params: [
      param('address', addressCodec, 'account'),
      param('privateFrom', ptmKeyCodec, 'key of the sender'),
      param('privateFor', z.array(ptmKeyCodec).max(1_000), 'keys of the recipients'),
    ],
    result: quantityCodec,
    errors: STATE_ERRORS,
    source: SOURCE,
    examples: [{ summary: 'before the first', params: [ACCOUNT, PTM_KEY, [OTHER_PTM_KEY]], result: '0x0' }],
  }),
  priv_getTransactionReceipt: defineMethod({
    summary:
      'Receipt of the restricted transaction behind a privacy marker transaction; null for a non-participant.',
    params: [param('hash', hashCodec, 'hash of the privacy marker transaction')],
    result: restrictedReceiptCodec.nullable(),
    errors: STATE_ERRORS,
    source: SOURCE,
    examples: [
      {
        summary: 'of a call between two parties',
        params: [TRANSACTION_HASH],
        result: {
          blockHash: BLOCK_HASH,
          blockNumber: '0x10',
          transactionHash: TRANSACTION_HASH,
          transactionIndex: '0x0',
          commitmentHash: TRANSACTION_HASH,
          from: ACCOUNT,
          to: CONTRACT,
          contractAddress: null,
          output: '0x',
          status: '0x1',
          logs: [LOG],
          logsBloom: EMPTY_BLOOM,
          privateFrom: PTM_KEY,
          privateFor: [OTHER_PTM_KEY],
        },
      },
    ],
  }),
};
