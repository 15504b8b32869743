import { defineMethod, param } from '@tetrad/rpc';
import { z } from 'zod';
import { anyLetterCase } from './tolerances.js';
import { addressTextSchema, base64Codec, int64Codec, tokenAmountCodec, uint64Codec } from './values.js';

const SOURCE = 'interface document, "Wallet signer interface"';

const address = param('address', addressTextSchema, 'address');

const signatureCodec = z.object({
  /** 1 secp256k1, 2 BLS12-381, 3 delegated. */
  Type: z.int().min(0).max(255),
  Data: base64Codec,
});

const messageCodec = z.object({
  Version: uint64Codec,
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

const signedMessageCodec = z.object({ Message: messageCodec, Signature: signatureCodec });

export type CoinSignature = z.output<typeof signatureCodec>;
export type CoinMessage = z.output<typeof messageCodec>;
export type SignedCoinMessage = z.output<typeof signedMessageCodec>;

const ADDRESS_REFUSALS = ['INVALID_COIN_ADDRESS'] as const;
const KEY_REFUSALS = [...ADDRESS_REFUSALS, 'NO_KEYS_FOR_ADDRESS'] as const;

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
    refusals: ADDRESS_REFUSALS,
    source: SOURCE,
    examples: [{ summary: 'asks for one', params: [HOLDER], result: true }],
  }),
  'Coin.WalletList': defineMethod({
    summary: 'Addresses whose keys the wallet holds, sorted.',
    params: [],
    result: z.array(addressTextSchema),
    source: SOURCE,
    examples: [{ summary: 'with one', params: [], result: [HOLDER] }],
  }),
  'Coin.WalletSign': defineMethod({
    summary: 'Signs data with the key of an address.',
    params: [address, param('data', base64Codec, 'data as it is, not its hash')],
    result: signatureCodec,
    refusals: KEY_REFUSALS,
    source: SOURCE,
    examples: [{ summary: 'signs', params: [HOLDER, DATA], result: SIGNATURE }],
  }),
  'Coin.WalletSignMessage': defineMethod({
    summary: 'Signs the content id of a message with the key of an address.',
    params: [address, param('message', messageCodec, 'unsigned message')],
    result: signedMessageCodec,
    refusals: KEY_REFUSALS,
    accepts: [anyLetterCase(1)],
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
    refusals: ADDRESS_REFUSALS,
    accepts: [anyLetterCase(2)],
    source: SOURCE,
    examples: [{ summary: 'verifies', params: [HOLDER, DATA, SIGNATURE], result: true }],
  }),
};
