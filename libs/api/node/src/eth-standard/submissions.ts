import { dataCodec, defineMethod, hashCodec, optionalParam, param, quantityCodec } from '@tetrad/rpc';
import { z } from 'zod';
import { ACCOUNT, PENDING_TRANSACTION, RECEIPT, RECIPIENT, TRANSACTION_HASH } from '../examples.js';
import { ACCOUNT_ERRORS, DECODE_ERRORS, POOL_ERRORS } from '../errors.js';
import { hexForInteger, integersAt, integersInTransaction } from '../tolerances.js';
import { integerOf } from '../wire/integer.js';
import { receiptCodec } from '../wire/receipt.js';
import { sendRequestCodec } from '../wire/send-request.js';
import { transactionCodec } from '../wire/transaction.js';

const GETH = 'go-ethereum, "eth"';

/** What the node's own accounts have in the pool, and two more ways to submit. */
export const ethSubmissionMethods = {
  eth_pendingTransactions: defineMethod({
    summary: 'Transactions of the pool that accounts of this node sent.',
    params: [],
    result: z.array(transactionCodec),
    errors: ['RESPONSE_TOO_LARGE'],
    source: GETH,
    examples: [{ summary: 'with one', params: [], result: [PENDING_TRANSACTION] }],
  }),
  eth_resend: defineMethod({
    summary:
      'Signs a transaction of the pool again with another gas price or gas limit, and replaces it; the nonce is required.',
    params: [
      param('transaction', sendRequestCodec, 'the transaction as it was sent'),
      optionalParam(
        'gasPrice',
        quantityCodec,
        'new gas price, in wei; that of the transaction when left out',
      ),
      optionalParam('gasLimit', quantityCodec, 'new gas limit; that of the transaction when left out'),
    ],
    result: hashCodec,
    errors: [
      ...ACCOUNT_ERRORS,
      'NONCE_NOT_SPECIFIED',
      'TRANSACTION_NOT_FOUND',
      'INVALID_CHAIN_ID',
      'PRIVACY_NOT_AVAILABLE',
      'EMPTY_CONTRACT_CREATION',
      ...POOL_ERRORS,
    ],
    accepts: [integersInTransaction(0), integersAt('as in the transaction object', 1, 2)],
    source: GETH,
    examples: [
      {
        summary: 'pays more for a transfer that waits',
        params: [{ from: ACCOUNT, to: RECIPIENT, value: '0x1', gas: '0x5208', nonce: '0x8' }, '0x1'],
        result: TRANSACTION_HASH,
      },
    ],
  }),
  eth_sendRawTransactionSync: defineMethod({
    summary:
      'Submits a signed transaction and waits for its receipt. After the time-out it is answered with code 4 and the ' +
      'hash as data, and the transaction stays in the pool.',
    params: [
      param('transaction', dataCodec, 'signed transaction: EIP-2718 envelope or RLP list'),
      optionalParam(
        'timeout',
        integerOf('time to wait, in milliseconds', 3_600_000),
        'milliseconds to wait; 20 seconds when left out or 0, and never longer than calls may take',
      ),
    ],
    result: receiptCodec,
    errors: [...DECODE_ERRORS, ...POOL_ERRORS, 'TOO_MANY_CONCURRENT_REQUESTS', 'PRIVATE_STATE_NOT_AVAILABLE'],
    accepts: [hexForInteger('go-ethereum writes the time-out in hex', 1)],
    source: 'EIP-7966',
    examples: [{ summary: 'submits a transfer', params: ['0x02f86482053980', 5000], result: RECEIPT }],
  }),
};
