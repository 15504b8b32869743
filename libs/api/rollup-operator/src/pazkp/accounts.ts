import { defineMethod, hashCodec, param } from '@tetrad/rpc';
import { z } from 'zod';
import {
  BLINDING,
  CIPHERTEXT,
  JOINT_KEY,
  PUBLIC_KEY,
  RANDOMIZATION,
  SIBLING,
  SIGNATURE,
  STATE_ROOT,
} from '../examples.js';
import { textForInteger } from '../tolerances.js';
import {
  accountIdSchema,
  amountCodec,
  ciphertextCodec,
  fieldElementCodec,
  jointEncryptionKeyCodec,
  merkleProofCodec,
  nonceSchema,
  publicKeyCodec,
  scalarCodec,
  signatureCodec,
  totalIndexSchema,
} from '../wire/values.js';

const SOURCE = 'interface document, "Rollup operator interface"';

const accountId = param('accountId', accountIdSchema, 'account');

const detailMembers = {
  id: accountIdSchema,
  publicKey: publicKeyCodec,
  jointEncryptionKey: jointEncryptionKeyCodec,
};
const detailsCodec = z.object(detailMembers);

export type AccountDetailsView = z.output<typeof detailsCodec>;

/** The details are at the top level and repeated under `account`, because clients read either place. */
const accountDetailsCodec = z.codec(
  z.union([
    z.object({ ...detailMembers, account: detailsCodec }),
    detailsCodec,
    z.object({ account: detailsCodec }),
  ]),
  z.custom<AccountDetailsView>((value) => typeof value === 'object' && value !== null),
  {
    decode: (wire): AccountDetailsView => {
      const { id, publicKey, jointEncryptionKey } = 'account' in wire ? wire.account : wire;
      return { id, publicKey, jointEncryptionKey };
    },
    encode: (details) => ({ ...details, account: details }),
  },
);

/** Token id → base units. */
const balancesCodec = z.codec(
  z.record(z.string().regex(/^[0-9]{1,10}$/), amountCodec),
  z.custom<ReadonlyMap<number, bigint>>((value) => value instanceof Map),
  {
    decode: (balances) =>
      new Map(Object.entries(balances).map(([tokenId, amount]) => [Number(tokenId), amount])),
    encode: (balances) => Object.fromEntries(balances),
  },
);

const nonceMembers = { id: accountIdSchema, nonce: nonceSchema, redemptionIndex: totalIndexSchema };

export const accountStateCodec = z.object({
  ...detailMembers,
  ...nonceMembers,
  blindingFactor: fieldElementCodec,
  balances: balancesCodec,
  /** Leaf of the account in the account tree. */
  rootHash: hashCodec,
  /** 28 siblings from the leaf to the account root, then the history root: together they lead to the state root. */
  merkleProof: merkleProofCodec,
});

const accountNonceCodec = z.object(nonceMembers);

const registrationSchema = z.object({
  status: z.enum([
    'REGISTERED',
    'PUBLIC_KEY_ALREADY_EXISTS',
    'INVALID_PUBLIC_KEY',
    'INVALID_JOINT_ENCRYPTION_KEY',
    'INVALID_ENCRYPTION',
    'INVALID_SIGNATURE',
  ]),
});

export type AccountStateView = z.output<typeof accountStateCodec>;
export type RegistrationStatus = z.output<typeof registrationSchema>['status'];

const DETAILS = { id: 4, publicKey: PUBLIC_KEY, jointEncryptionKey: JOINT_KEY };

/** Accounts of the rollup. */
export const pazkpAccountMethods = {
  pazkp_createAccount: defineMethod({
    summary: 'Registers an account; a failure is reported in the status.',
    params: [
      param('publicKey', publicKeyCodec, 'account key, 64 bytes'),
      param('jointEncryptionKey', jointEncryptionKeyCodec, 'encryption key of user and operator, 128 bytes'),
      param('blindingFactor', fieldElementCodec, '32 bytes'),
      param('encryptedBlindingFactor', ciphertextCodec, 'blinding factor under the joint encryption key'),
      param('randomizationFactor', scalarCodec, 'with which the encryption is checked'),
      param('signature', signatureCodec, 'account signature, 96 bytes'),
    ],
    result: registrationSchema,
    errors: ['ROLLUP_FULL', 'ROLLUP_FROZEN', 'TOO_MANY_CONCURRENT_REQUESTS', 'QUEUE_FULL'],
    source: SOURCE,
    examples: [
      {
        summary: 'registers one',
        params: [PUBLIC_KEY, JOINT_KEY, BLINDING, CIPHERTEXT, RANDOMIZATION, SIGNATURE],
        result: { status: 'REGISTERED' },
      },
    ],
  }),
  pazkp_findAccountById: defineMethod({
    summary: 'Public details of an account, null when it does not exist.',
    params: [accountId],
    result: accountDetailsCodec.nullable(),
    accepts: [textForInteger(0)],
    source: SOURCE,
    examples: [{ summary: 'finds one', params: [4], result: { ...DETAILS, account: DETAILS } }],
  }),
  pazkp_findAccountByPublicKey: defineMethod({
    summary: 'Public details of an account, null until it is ready for money orders.',
    params: [param('publicKey', publicKeyCodec, 'account key, 64 bytes')],
    result: accountDetailsCodec.nullable(),
    source: SOURCE,
    examples: [
      { summary: 'finds one', params: [PUBLIC_KEY], result: { ...DETAILS, account: DETAILS } },
      { summary: 'that is not finalized yet', params: [PUBLIC_KEY], result: null },
    ],
  }),
  pazkp_getAccountNonce: defineMethod({
    summary: 'Nonce of the latest operation of an account, and how far it has redeemed.',
    params: [accountId],
    result: accountNonceCodec,
    errors: ['ROLLUP_ACCOUNT_NOT_FOUND', 'ROLLUP_ACCOUNT_OPAQUE'],
    accepts: [textForInteger(0)],
    source: SOURCE,
    examples: [
      { summary: 'of an account', params: [4], result: { id: 4, nonce: 2, redemptionIndex: 458755 } },
    ],
  }),
  pazkp_getAccountState: defineMethod({
    summary: 'Latest state of an account that is finalized on the blockchain, with its Merkle proof.',
    params: [accountId],
    result: accountStateCodec,
    errors: ['ROLLUP_ACCOUNT_NOT_FOUND', 'ROLLUP_ACCOUNT_OPAQUE'],
    accepts: [textForInteger(0)],
    source: SOURCE,
    examples: [
      {
        summary: 'of an account',
        params: [4],
        result: {
          ...DETAILS,
          nonce: 2,
          redemptionIndex: 458755,
          blindingFactor: BLINDING,
          balances: { '1': 7500 },
          rootHash: STATE_ROOT,
          merkleProof: [SIBLING],
        },
      },
    ],
  }),
};
