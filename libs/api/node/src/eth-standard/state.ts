import {
  addressCodec,
  countFirst,
  dataCodec,
  defineMethod,
  hashCodec,
  optionalParam,
  param,
  quantityCodec,
} from '@tetrad/rpc';
import { z } from 'zod';
import { ACCOUNT, BLOCK_HASH, CONTRACT, EMPTY_CODE_HASH, EMPTY_ROOT } from '../examples.js';
import { ACCOUNT_STATE_ERRORS } from '../errors.js';
import { blockReferenceCodec } from '../wire/block-reference.js';
import { askedSlotCodec, storageSlotCodec } from '../wire/text.js';

const SOURCE = 'Ethereum execution API, "state"';

const address = param('address', addressCodec, 'account');
const block = optionalParam('block', blockReferenceCodec, 'height, tag or hash; the latest when left out');

/** Accounts and slots of one request, as in geth. */
const MAX_SLOTS = 1024;

/** Address → slots. An address in two spellings would be two members here and one account. */
const slotsByAddress = countFirst(
  z
    .record(addressCodec.in, z.array(storageSlotCodec))
    .refine((slots) => Object.keys(slots).length > 0, 'empty request')
    .refine((slots) => {
      const names = Object.keys(slots);
      return new Set(names.map((name) => name.toLowerCase())).size === names.length;
    }, 'must name each account once'),
  tooManySlots,
);

/** The problem with the number of slots, before one of them is read. */
function tooManySlots(requests: unknown): string | undefined {
  if (typeof requests !== 'object' || requests === null) return undefined;
  const slots = Object.values(requests).reduce<number>(
    (sum, list) => sum + Math.max(Array.isArray(list) ? list.length : 0, 1),
    0,
  );
  return slots > MAX_SLOTS ? `must name at most ${MAX_SLOTS} slots` : undefined;
}

/** Merkle proof of an account and of some of its slots (EIP-1186). */
const accountProofCodec = z.object({
  address: addressCodec,
  accountProof: z.array(dataCodec),
  /** Balance in wei. */
  balance: quantityCodec,
  codeHash: hashCodec,
  nonce: quantityCodec,
  storageHash: hashCodec,
  storageProof: z.array(z.object({ key: askedSlotCodec, value: quantityCodec, proof: z.array(dataCodec) })),
});

/** Reads of accounts at a block. */
export const ethStateMethods = {
  eth_getBalance: defineMethod({
    summary: 'Balance of an account, in wei.',
    params: [address, block],
    result: quantityCodec,
    errors: ACCOUNT_STATE_ERRORS,
    source: SOURCE,
    examples: [
      { summary: 'at the latest block', params: [ACCOUNT, 'latest'], result: '0xde0b6b3a7640000' },
      { summary: 'at a block hash', params: [ACCOUNT, { blockHash: BLOCK_HASH }], result: '0x0' },
    ],
  }),
  eth_getCode: defineMethod({
    summary: 'Code of a contract, empty for an account without code.',
    params: [address, block],
    result: dataCodec,
    errors: ACCOUNT_STATE_ERRORS,
    source: SOURCE,
    examples: [{ summary: 'of a contract', params: [CONTRACT, 'latest'], result: '0x6080604052' }],
  }),
  eth_getStorageAt: defineMethod({
    summary: 'Value of a storage slot: always 32 bytes.',
    params: [address, param('slot', storageSlotCodec, 'slot, up to 32 bytes of hex'), block],
    result: hashCodec,
    errors: ACCOUNT_STATE_ERRORS,
    source: SOURCE,
    examples: [
      { summary: 'of the first slot', params: [CONTRACT, '0x0', 'latest'], result: `0x${'00'.repeat(31)}2a` },
    ],
  }),
  eth_getStorageValues: defineMethod({
    summary: 'Values of storage slots of several accounts, at one block: always 32 bytes each.',
    params: [param('requests', slotsByAddress, 'slots of each account'), block],
    result: z.record(z.string(), z.array(hashCodec)),
    errors: ACCOUNT_STATE_ERRORS,
    source: SOURCE,
    examples: [
      {
        summary: 'of two accounts',
        params: [{ [CONTRACT]: ['0x0', '0x1'], [ACCOUNT]: [`0x${'00'.repeat(32)}`] }, 'latest'],
        result: {
          [CONTRACT]: [`0x${'00'.repeat(31)}2a`, `0x${'00'.repeat(32)}`],
          [ACCOUNT]: [`0x${'00'.repeat(32)}`],
        },
      },
    ],
  }),
  eth_getTransactionCount: defineMethod({
    summary: 'Nonce of an account; at `pending` the one that its next transaction needs.',
    params: [address, block],
    result: quantityCodec,
    errors: ACCOUNT_STATE_ERRORS,
    source: SOURCE,
    examples: [{ summary: 'with pending transactions', params: [ACCOUNT, 'pending'], result: '0x9' }],
  }),
  eth_getProof: defineMethod({
    summary: 'Account and slots with their Merkle proofs.',
    params: [
      address,
      param('slots', z.array(askedSlotCodec).max(1024), 'slots, up to 32 bytes of hex each'),
      block,
    ],
    result: accountProofCodec,
    errors: ACCOUNT_STATE_ERRORS,
    source: SOURCE,
    examples: [
      {
        summary: 'of an account without storage',
        params: [ACCOUNT, ['0x0'], 'latest'],
        result: {
          address: ACCOUNT,
          accountProof: ['0xf851'],
          balance: '0x0',
          codeHash: EMPTY_CODE_HASH,
          nonce: '0x0',
          storageHash: EMPTY_ROOT,
          storageProof: [{ key: '0x0', value: '0x0', proof: [] }],
        },
      },
    ],
  }),
};
