import { addressCodec, defineMethod, hashCodec, param } from '@tetrad/rpc';
import { z } from 'zod';
import { ACCOUNT, EMPTY_CODE_HASH, EMPTY_ROOT, STATE_ROOT } from './examples.js';
import { ACCOUNT_STATE_ERRORS } from './errors.js';
import { lenientBlockNumberCodec } from './wire/block-reference.js';
import { integerCodec } from './wire/integer.js';
import { bareHashCodec, bareHexCodec, decimalCodec } from './wire/text.js';

const SOURCE = 'interface document, "Node interface: debug"';

/** Slot → value: the slot carries `0x` and 64 digits, the value neither `0x` nor leading zero bytes. */
const storageDumpSchema = z
  .record(z.string().regex(/^0x[0-9a-fA-F]{64}$/), z.string().regex(/^(?:[0-9a-fA-F]{2}){1,32}$/))
  .readonly();

/** The full state of one account; hashes and code are hex without `0x`, the balance is decimal text. */
const accountDumpCodec = z.object({
  /** Balance in wei. */
  balance: decimalCodec,
  nonce: integerCodec,
  root: bareHashCodec,
  codeHash: bareHashCodec,
  code: bareHexCodec,
  storage: storageDumpSchema,
});

export type AccountDump = z.output<typeof accountDumpCodec>;

/** The debug methods of the interface document. */
export const debugMethods = {
  debug_dumpAddress: defineMethod({
    summary:
      'Balance, nonce, code and storage of an account; of the private state where the account is private.',
    params: [
      param('address', addressCodec, 'account'),
      param('blockNumber', lenientBlockNumberCodec, 'height, or latest, or pending'),
    ],
    result: accountDumpCodec,
    errors: ['STATE_OBJECT_NOT_FOUND', 'STORAGE_TOO_LARGE', ...ACCOUNT_STATE_ERRORS],
    source: SOURCE,
    examples: [
      {
        summary: 'reads an account without code',
        params: [ACCOUNT, 'latest'],
        result: {
          balance: '1000000000000000000',
          nonce: 3,
          root: EMPTY_ROOT.slice(2),
          codeHash: EMPTY_CODE_HASH.slice(2),
          code: '',
          storage: { [`0x${'00'.repeat(31)}01`]: '2a' },
        },
      },
    ],
  }),
  debug_privateStateRoot: defineMethod({
    summary: 'Root of the private state at a block.',
    params: [param('blockNumber', lenientBlockNumberCodec, 'height, or latest, or pending')],
    result: hashCodec,
    errors: ['BLOCK_NOT_FOUND', 'PRIVACY_NOT_AVAILABLE', 'PRIVATE_STATE_NOT_AVAILABLE'],
    source: SOURCE,
    examples: [{ summary: 'at the latest block', params: ['latest'], result: STATE_ROOT }],
  }),
};
