import { addressCodec, dataCodec, defineMethod, hashCodec, param } from '@tetrad/rpc';
import { z } from 'zod';
import { LOOSE_QUANTITIES, PARAMS_WITHOUT_ARRAY } from './tolerances.js';
import { transactionRequestCodec } from './wire/transaction-request.js';
import { accountNameCodec, messageCodec } from './wire/values.js';

const SOURCE = 'interface document, "Signing proxy interface"';
const ACCOUNT = '0x7577919ae5df4941180eac211965f275cdce314d';

/** Why something may not be signed. */
export const SIGNING_ERRORS = [
  'SIGNING_FROM_IS_NOT_AN_UNLOCKED_ACCOUNT',
  'KEY_LOADING',
  'KEY_UNAVAILABLE',
  'POLICY_REFUSED',
  'POLICY_RATE_EXCEEDED',
  'DATABASE_UNAVAILABLE',
] as const;

/** Why a transaction may fail on its way to the Ethereum client; its own answers are forwarded as they come. */
export const SENDING_ERRORS = [
  ...SIGNING_ERRORS,
  'CONNECTION_TO_DOWNSTREAM_NODE_TIMED_OUT',
  'FAILED_TO_CONNECT_TO_DOWNSTREAM_NODE',
  'DOWNSTREAM_NODE_NOT_TRUSTED',
  'CHAIN_ID_MISMATCH',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_IN_FLIGHT',
  'TOO_MANY_CONCURRENT_REQUESTS',
] as const;

/** The eth methods of the interface document on the signing proxy. */
export const ethMethods = {
  eth_accounts: defineMethod({
    summary: 'Addresses of the keys that the proxy signs with, in ascending order.',
    params: [],
    result: z.array(addressCodec),
    source: SOURCE,
    examples: [{ summary: 'with one key', params: [], result: [ACCOUNT] }],
  }),
  eth_sendTransaction: defineMethod({
    summary: 'Signs a public transaction and submits it to the Ethereum client.',
    params: [param('transaction', transactionRequestCodec, 'transaction to sign')],
    result: hashCodec,
    errors: SENDING_ERRORS,
    accepts: [PARAMS_WITHOUT_ARRAY, LOOSE_QUANTITIES],
    source: SOURCE,
    examples: [
      {
        summary: 'sends a transfer with the next nonce',
        params: [
          { from: ACCOUNT, to: '0xd46e8dd67c5d32be8058bb8eb970870f07244567', value: '0x1', gasPrice: '0x0' },
        ],
        result: '0xe670ec64341771606e55d6b4ca35a1a6b75ee3d5145a99d05921026d1527331d',
      },
      {
        summary: 'creates a contract',
        params: [{ from: ACCOUNT, to: null, data: '0x6080604052', gas: '0x76c0', nonce: '0x1' }],
        result: '0xe670ec64341771606e55d6b4ca35a1a6b75ee3d5145a99d05921026d1527331d',
      },
    ],
  }),
  eth_sign: defineMethod({
    summary:
      'Signs a message: keccak-256 of 0x19, "Ethereum Signed Message:", a newline, its length and itself.',
    params: [
      param('address', accountNameCodec, 'keystore account'),
      param('data', messageCodec, 'hex after 0x, otherwise text in UTF-8'),
    ],
    result: dataCodec,
    errors: SIGNING_ERRORS,
    source: SOURCE,
    examples: [{ summary: 'signs a text', params: [ACCOUNT, 'Some data'], result: `0x${'22'.repeat(64)}1b` }],
  }),
};
