import { dataCodec, defineMethod, param } from '@tetrad/rpc';
import { z } from 'zod';
import { SIGNING_ERRORS } from './eth.js';
import { FURTHER_PARAMS, LOOSE_QUANTITIES, PARAMS_WITHOUT_ARRAY, TYPED_DATA_AS_TEXT } from './tolerances.js';
import { signingRequestCodec } from './wire/transaction-request.js';
import { accountNameCodec } from './wire/values.js';

const ACCOUNT = '0x7577919ae5df4941180eac211965f275cdce314d';

/** EIP-712 data; its own rules are checked where it is hashed. */
const typedDataSchema = z.object({
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  domain: z.record(z.string(), z.unknown()),
  message: z.record(z.string(), z.unknown()),
});

export type TypedData = z.output<typeof typedDataSchema>;

const TYPED_DATA = {
  types: { EIP712Domain: [{ name: 'name', type: 'string' }], Note: [{ name: 'text', type: 'string' }] },
  primaryType: 'Note',
  domain: { name: 'Notes' },
  message: { text: 'hello' },
};

const signTypedData = defineMethod({
  summary: 'Signs typed data (EIP-712).',
  params: [
    param('address', accountNameCodec, 'keystore account'),
    param('typedData', typedDataSchema, 'types, primary type, domain and message'),
  ],
  result: dataCodec,
  errors: SIGNING_ERRORS,
  accepts: [FURTHER_PARAMS, TYPED_DATA_AS_TEXT],
  source: 'EIP-712; Consensys/web3signer, eth_signTypedData',
  examples: [{ summary: 'signs a note', params: [ACCOUNT, TYPED_DATA], result: `0x${'22'.repeat(64)}1b` }],
});

/** Methods that signing proxies answer beyond the interface document. */
export const ethStandardMethods = {
  eth_signTransaction: defineMethod({
    summary: 'Signs a public transaction without submitting it; the nonce must be given.',
    params: [param('transaction', signingRequestCodec, 'transaction to sign')],
    result: dataCodec,
    errors: [...SIGNING_ERRORS, 'CHAIN_ID_MISMATCH'],
    accepts: [PARAMS_WITHOUT_ARRAY, LOOSE_QUANTITIES],
    source: 'Consensys/ethsigner, eth_signTransaction',
    examples: [
      {
        summary: 'signs a transfer',
        params: [
          { from: ACCOUNT, to: '0xd46e8dd67c5d32be8058bb8eb970870f07244567', value: '0x1', nonce: '0x0' },
        ],
        result: '0xf864',
      },
    ],
  }),
  health_status: defineMethod({
    summary: 'Reports that the proxy answers, independent of the state of its keys and its client.',
    params: [],
    result: z.literal('OK'),
    source: 'Consensys/web3signer, core Eth1Runner, health_status',
    examples: [{ summary: 'answers', params: [], result: 'OK' }],
  }),
  eth_signTypedData: signTypedData,
  /** The same under the name that wallets gave it. */
  eth_signTypedData_v4: signTypedData,
};
