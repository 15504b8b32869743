import { addressCodec, dataCodec, defineMethod, hashCodec, optionalParam, param } from '@tetrad/rpc';
import { z } from 'zod';
import {
  ACCOUNT,
  BLOCK_HASH,
  CONTRACT,
  OTHER_PTM_KEY,
  PAYLOAD_DIGEST,
  PTM_KEY,
  RECIPIENT,
  STATE_ROOT,
  TRANSACTION_HASH,
} from './examples.js';
import {
  ACCOUNT_ERRORS,
  ACCOUNT_STATE_ERRORS,
  DECODE_ERRORS,
  EXECUTION_ERRORS,
  POOL_ERRORS,
  PRIVACY_ERRORS,
} from './errors.js';
import { integersInTransaction, trailingNullCallback } from './tolerances.js';
import { lenientBlockReferenceCodec } from './wire/block-reference.js';
import { filledTransactionCodec } from './wire/filled-transaction.js';
import {
  contractPrivacyMetadataCodec,
  privateReceiptCodec,
  privateTransactionCodec,
} from './wire/private-transaction.js';
import {
  asyncSendRequestCodec,
  transactionArgumentsCodec,
  rawPrivacyRequestCodec,
  sendRequestCodec,
} from './wire/send-request.js';
import { textSchema } from './wire/text.js';

const SOURCE = 'interface document, "Node interface: privacy and transactions"';

const SEND_ERRORS = [
  'INVALID_CHAIN_ID',
  ...ACCOUNT_ERRORS,
  ...POOL_ERRORS,
  'EMPTY_CONTRACT_CREATION',
  ...PRIVACY_ERRORS,
] as const;

const CREATION = { from: ACCOUNT, data: '0x6080604052', gas: '0x47b760', privateFor: [PTM_KEY] };
const TRANSFER = { from: ACCOUNT, to: RECIPIENT, value: '0x1', gas: '0x5208', gasPrice: '0x0' };

/** Transactions that the node signs, and private transactions: the eth methods of the interface document. */
export const ethMethods = {
  eth_distributePrivateTransaction: defineMethod({
    summary:
      'Passes a signed private transaction to the private transaction manager without placing it in the pool; ' +
      'the digest returned is the data of a privacy marker transaction that is signed elsewhere.',
    params: [
      param('transaction', dataCodec, 'signed private transaction'),
      param('privateData', rawPrivacyRequestCodec, 'recipients and protection'),
    ],
    result: dataCodec,
    errors: [...DECODE_ERRORS, ...PRIVACY_ERRORS],
    source: SOURCE,
    examples: [
      {
        summary: 'distributes a transaction to one recipient',
        params: ['0xf864', { privateFor: [PTM_KEY], privateFrom: OTHER_PTM_KEY, privacyFlag: 0 }],
        result: PAYLOAD_DIGEST,
      },
    ],
  }),
  eth_fillTransaction: defineMethod({
    summary: 'Fills in nonce, gas and gas price of a public or private transaction, for signing it offline.',
    params: [param('transaction', transactionArgumentsCodec, 'transaction to fill in')],
    result: filledTransactionCodec,
    errors: [
      'EMPTY_CONTRACT_CREATION',
      'INVALID_CHAIN_ID',
      'GAS_REQUIRED_EXCEEDS_ALLOWANCE',
      // Both name private state that is not available.
      ...new Set([...EXECUTION_ERRORS, ...PRIVACY_ERRORS]),
    ],
    accepts: [integersInTransaction(0)],
    source: SOURCE,
    examples: [
      {
        summary: 'fills in a transfer',
        params: [{ from: ACCOUNT, to: RECIPIENT, value: '0x1' }],
        result: {
          raw: '0xdf8080825208',
          tx: {
            type: '0x0',
            nonce: '0x0',
            gasPrice: '0x0',
            gas: '0x5208',
            value: '0x1',
            input: '0x',
            v: '0x0',
            r: '0x0',
            s: '0x0',
            to: RECIPIENT,
            hash: TRANSACTION_HASH,
          },
        },
      },
    ],
  }),
  eth_getContractPrivacyMetadata: defineMethod({
    summary: 'How a private contract is protected, and which payload created it.',
    params: [param('address', addressCodec, 'private contract')],
    result: contractPrivacyMetadataCodec,
    errors: [
      'NOT_A_PRIVATE_CONTRACT',
      'NO_PRIVACY_METADATA',
      'PRIVATE_STATE_NOT_AVAILABLE',
      'TRANSACTION_MANAGER_UNAVAILABLE',
    ],
    source: SOURCE,
    examples: [
      {
        summary: 'reads a contract with counterparty protection',
        params: [CONTRACT],
        result: { creationTxHash: PAYLOAD_DIGEST, privacyFlag: 1, mandatoryFor: [] },
      },
    ],
  }),
  eth_getPrivacyPrecompileAddress: defineMethod({
    summary: 'Address of the privacy precompile: the recipient of privacy marker transactions.',
    params: [],
    result: addressCodec,
    source: SOURCE,
    examples: [
      { summary: 'reads the address', params: [], result: '0x000000000000000000000000000000000000007a' },
    ],
  }),
  eth_getPrivateTransactionByHash: defineMethod({
    summary: 'The private transaction inside a privacy marker transaction, null for a non-participant.',
    params: [param('hash', hashCodec, 'hash of the privacy marker transaction')],
    result: privateTransactionCodec.nullable(),
    errors: ['PRIVACY_NOT_AVAILABLE', 'PRIVATE_STATE_NOT_AVAILABLE'],
    source: SOURCE,
    examples: [{ summary: 'as a node that is not a participant', params: [TRANSACTION_HASH], result: null }],
  }),
  eth_getPrivateTransactionReceipt: defineMethod({
    summary:
      'Receipt of the private transaction inside a privacy marker transaction, null for a non-participant.',
    params: [param('hash', hashCodec, 'hash of the privacy marker transaction')],
    result: privateReceiptCodec.nullable(),
    errors: ['MARKER_TRANSACTION_NOT_FOUND', 'PRIVATE_STATE_NOT_AVAILABLE'],
    source: SOURCE,
    examples: [{ summary: 'as a node that is not a participant', params: [TRANSACTION_HASH], result: null }],
  }),
  eth_getChainPayload: defineMethod({
    summary: 'The unencrypted payload behind a digest, empty for a non-participant.',
    params: [param('id', textSchema, 'digest of the encrypted payload: hex of 64 bytes, 0x may be left out')],
    result: dataCodec,
    errors: ['PRIVACY_NOT_AVAILABLE', 'INVALID_DIGEST', 'TRANSACTION_MANAGER_UNAVAILABLE'],
    source: SOURCE,
    examples: [{ summary: 'reads a payload', params: [PAYLOAD_DIGEST], result: '0x6080604052' }],
  }),
  eth_sendRawPrivateTransaction: defineMethod({
    summary:
      'Submits a signed private transaction whose payload was stored in the private transaction manager.',
    params: [
      param('transaction', dataCodec, 'signed private transaction'),
      param('privateData', rawPrivacyRequestCodec, 'recipients and protection'),
    ],
    result: hashCodec,
    errors: [...DECODE_ERRORS, ...POOL_ERRORS, ...PRIVACY_ERRORS],
    accepts: [trailingNullCallback(2)],
    source: SOURCE,
    examples: [
      {
        summary: 'submits for two recipients',
        params: ['0xf864', { privateFor: [PTM_KEY, OTHER_PTM_KEY] }],
        result: TRANSACTION_HASH,
      },
    ],
  }),
  eth_sendTransaction: defineMethod({
    summary:
      'Signs a transaction with an account of the node and submits it; private when privateFor is given.',
    params: [param('transaction', sendRequestCodec, 'transaction to sign')],
    result: hashCodec,
    errors: SEND_ERRORS,
    accepts: [integersInTransaction(0), trailingNullCallback(1)],
    source: SOURCE,
    examples: [
      { summary: 'sends a public transfer', params: [TRANSFER], result: TRANSACTION_HASH },
      { summary: 'creates a private contract', params: [CREATION], result: TRANSACTION_HASH },
    ],
  }),
  eth_sendTransactionAsync: defineMethod({
    summary:
      'As eth_sendTransaction, answered at once with zeros; the outcome is posted to callbackUrl, of a private transaction with the agreement of its parties, where waitAgreement milliseconds or --wait-agreement wait for it.',
    params: [param('transaction', asyncSendRequestCodec, 'transaction to sign')],
    result: hashCodec,
    errors: ['TOO_MANY_CONCURRENT_REQUESTS', 'CALLBACK_URL_NOT_ALLOWED'],
    accepts: [integersInTransaction(0)],
    source: `${SOURCE}, and "Events"`,
    examples: [
      {
        summary: 'sends a transfer and asks for a callback',
        params: [{ ...TRANSFER, callbackUrl: 'https://backoffice.example/transactions' }],
        result: `0x${'00'.repeat(32)}`,
      },
    ],
  }),
  eth_storageRoot: defineMethod({
    summary: 'Root of the storage of an account; of the private state for a private contract.',
    params: [
      param('address', addressCodec, 'account'),
      optionalParam('block', lenientBlockReferenceCodec, 'block; the latest when left out'),
    ],
    result: hashCodec,
    errors: ['STATE_OBJECT_NOT_FOUND', 'INVALID_BLOCK_NUMBER', ...ACCOUNT_STATE_ERRORS],
    source: SOURCE,
    examples: [
      { summary: 'at the latest block', params: [CONTRACT], result: STATE_ROOT },
      { summary: 'at a height', params: [CONTRACT, '0x10'], result: STATE_ROOT },
      { summary: 'at a block hash', params: [CONTRACT, { blockHash: BLOCK_HASH }], result: STATE_ROOT },
    ],
  }),
};

/** What client libraries of GoQuorum call besides. */
export const ethPrivacyGroupMethods = {
  eth_getPSI: defineMethod({
    summary: 'Identifier of the private state of the caller: private, the only one of a node.',
    params: [],
    result: z.literal('private'),
    source: 'GoQuorum’s eth_getPSI, for its client libraries',
    examples: [{ summary: 'asks for it', params: [], result: 'private' as const }],
  }),
};
