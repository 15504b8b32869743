import { defineMethod, optionalParam, param } from '@tetrad/rpc';
import { z } from 'zod';
import { addressTextSchema, base64Codec, int64Codec, tokenAmountCodec, uint64Codec } from './values.js';

const SOURCE = 'interface document, "Wallet signer interface"';

/** Wallet signers with parameters by name call it the identifier. */
const address = { ...param('address', addressTextSchema, 'address'), alsoNamed: ['identifier'] };

const signatureCodec = z.object({
  /** 1 secp256k1, 2 BLS12-381, 3 delegated. */
  Type: z.int().min(0).max(255),
  Data: base64Codec,
});

const messageCodec = z.object({
  /** 0 when it is left out, as for a Lotus node. */
  Version: uint64Codec.optional(),
  To: addressTextSchema,
  From: addressTextSchema,
  Nonce: uint64Codec,
  Value: tokenAmountCodec,
  GasLimit: int64Codec,
  GasFeeCap: tokenAmountCodec,
  GasPremium: tokenAmountCodec,
  Method: uint64Codec,
  /** Null and absent both mean none; an answer repeats what came in. */
  Params: base64Codec.nullish(),
});

/** What the data of a signature is; an addition of later versions of the method (docs/adr/0016). */
const metaCodec = z.object({
  /** `message`, `block`, `dealproposal`, `unknown`; others are taken for unknown. */
  Type: z.string().max(64),
  /** Of a message its CBOR, whose content id the data must be. */
  Extra: base64Codec.nullish(),
});

const signedMessageCodec = z.object({ Message: messageCodec, Signature: signatureCodec });

/** Permissions of the coin network's node, lowest first; a token lists them. */
export const COIN_PERMISSIONS = ['read', 'write', 'sign', 'admin'] as const;
export type CoinPermission = (typeof COIN_PERMISSIONS)[number];

export type CoinSignature = z.output<typeof signatureCodec>;
export type CoinMessage = z.output<typeof messageCodec>;

const ADDRESS_ERRORS = ['INVALID_COIN_ADDRESS'] as const;
/** Of every method whose work is done on threads. */
const WORK_ERRORS = ['TOO_MANY_CONCURRENT_REQUESTS'] as const;
/** Of every method that looks into the wallet. */
const STORED_ERRORS = ['DATABASE_UNAVAILABLE'] as const;
const KEY_ERRORS = [
  ...ADDRESS_ERRORS,
  ...STORED_ERRORS,
  ...WORK_ERRORS,
  'NO_KEYS_FOR_ADDRESS',
  'DAMAGED_KEY',
  'KEY_UNAVAILABLE',
  'VAULT_CHANGED',
] as const;
const DATA_ERRORS = ['BLIND_SIGNING_REFUSED', 'MESSAGE_META_MISMATCH', 'MESSAGE_META_REQUIRED'] as const;

const HOLDER = 'f1gr5bxcyjmw2kgafflbxzrcxwbbpzgf6mthy5v6i';
const DATA = 'ZGF0YVRvU2lnbg==';
const SIGNATURE = { Type: 1, Data: `${'q6ur'.repeat(21)}qwE=` };
const MESSAGE = {
  Version: 0,
  To: HOLDER,
  From: HOLDER,
  Nonce: 1,
  Value: '100000',
  GasLimit: 9,
  GasFeeCap: '1000',
  GasPremium: '10',
  Method: 0,
  Params: 'Ynl0ZSBhcnJheQ==',
};

/** The wallet of a coin network. */
export const coinMethods = {
  'Coin.WalletHas': defineMethod({
    summary: 'Whether the wallet holds the key of an address.',
    params: [address],
    result: z.boolean(),
    errors: [...ADDRESS_ERRORS, ...STORED_ERRORS],
    permission: 'write' satisfies CoinPermission,
    source: SOURCE,
    examples: [{ summary: 'asks for one', params: [HOLDER], result: true }],
  }),
  'Coin.WalletList': defineMethod({
    summary: 'Addresses whose keys the wallet holds, sorted.',
    params: [],
    result: z.array(addressTextSchema),
    errors: STORED_ERRORS,
    permission: 'write' satisfies CoinPermission,
    source: SOURCE,
    examples: [{ summary: 'with one', params: [], result: [HOLDER] }],
  }),
  'Coin.WalletSign': defineMethod({
    summary: 'Signs data with the key of an address.',
    params: [
      address,
      param('data', base64Codec, 'data as it is, not its hash'),
      optionalParam('meta', metaCodec, 'what the data is'),
    ],
    result: signatureCodec,
    errors: [...KEY_ERRORS, ...DATA_ERRORS, 'OVERSIZED_DATA', 'INVALID_COIN_MESSAGE'],
    permission: 'sign' satisfies CoinPermission,
    source: SOURCE,
    examples: [{ summary: 'signs', params: [HOLDER, DATA], result: SIGNATURE }],
  }),
  'Coin.WalletSignMessage': defineMethod({
    summary: 'Signs the content id of a message with the key of an address.',
    params: [address, param('message', messageCodec, 'unsigned message')],
    result: signedMessageCodec,
    errors: [...KEY_ERRORS, 'INVALID_COIN_MESSAGE'],
    permission: 'sign' satisfies CoinPermission,
    source: SOURCE,
    examples: [
      {
        summary: 'signs',
        params: [HOLDER, MESSAGE],
        result: { Message: MESSAGE, Signature: SIGNATURE },
      },
    ],
  }),
  'Coin.WalletVerify': defineMethod({
    summary: 'Whether a signature of data is by the key of an address, which the wallet need not hold.',
    params: [
      address,
      param('data', base64Codec, 'data that was signed'),
      param('signature', signatureCodec, 'signature'),
    ],
    result: z.boolean(),
    errors: [...ADDRESS_ERRORS, ...WORK_ERRORS, 'SIGNATURE_TYPE_MISMATCH'],
    permission: 'read' satisfies CoinPermission,
    source: SOURCE,
    examples: [{ summary: 'verifies', params: [HOLDER, DATA, SIGNATURE], result: true }],
  }),
};
