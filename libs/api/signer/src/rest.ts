import { dataCodec, defineMethod, param } from '@tetrad/rpc';
import { bytesFromHex, hexFromBytes } from '@tetrad/types';
import { z } from 'zod';
import { SIGNING_ERRORS } from './eth.js';
import { accountNameCodec } from './wire/values.js';

const PUBLIC_KEY =
  '0x09b02f8a5fddd222ade4ea4528faefc399623af3f736be3c44f03e2df22fb792f3931a4d9573d333ca74343305762a753388c3422a86d98b713fc91c1ea04842';

/** Bytes in an even number of hex digits, `0x` before them or not; not nothing at all. */
const signedDataCodec = z.codec(
  z.string().regex(/^(?=.)(?:0[xX])?(?:[0-9a-fA-F]{2})*$/, 'must be an even number of hex digits'),
  z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  {
    decode: (text) => bytesFromHex(`0x${text.replace(/^0x/i, '')}`),
    encode: (bytes) => hexFromBytes(bytes),
  },
);

/**
 * What web3signer's routes of HTTP do, under the names that policies, permissions, metrics and the audit log have for
 * it. No methods of JSON-RPC.
 */
export const signerRestMethods = {
  eth1_publicKeys: defineMethod({
    summary: 'Public keys of the accounts, in the order of their addresses (GET /api/v1/eth1/publicKeys).',
    params: [],
    result: z.array(dataCodec),
    source: 'Consensys/web3signer, openapi-specs/eth1, ETH1_LIST',
    examples: [{ summary: 'with one key', params: [], result: [PUBLIC_KEY] }],
  }),
  eth1_sign: defineMethod({
    summary: 'Signs the keccak-256 of any bytes (POST /api/v1/eth1/sign/{identifier}).',
    params: [
      param('identifier', accountNameCodec, 'public key: x and y in hex, 128 digits'),
      param('data', signedDataCodec, 'what is hashed and signed, in hex'),
    ],
    result: dataCodec,
    errors: SIGNING_ERRORS,
    source: 'Consensys/web3signer, openapi-specs/eth1, ETH1_SIGN',
    examples: [
      { summary: 'signs two bytes', params: [PUBLIC_KEY, '0x3432'], result: `0x${'22'.repeat(64)}1b` },
    ],
  }),
};
