import { readFile } from 'node:fs/promises';
import { OperatorError, parseHash, isHash, withoutByteOrderMark, type Hash } from '@tetrad/types';
import { z } from 'zod';

/** Hash of the code of a contract → the name that the operator gave it. */
export type KnownContracts = ReadonlyMap<Hash, string>;

const MAX_NAMES = 10_000;
const MAX_FILE_BYTES = 4 * 1_048_576;

const fileSchema = z
  .record(
    z.string(),
    z.string().regex(/^[\x20-\x7e]{1,128}$/, 'a name has 1 to 128 printable ASCII characters'),
  )
  .refine(
    (names) => Object.keys(names).every(isHash),
    'a key is not the hash of a code: 0x and 64 hex digits',
  )
  .refine((names) => Object.keys(names).length <= MAX_NAMES, `more than ${MAX_NAMES} names`);

/**
 * @param path - of a JSON object
 * @throws OperatorError
 */
export async function readKnownContracts(path: string): Promise<KnownContracts> {
  const refuse = (reason: string, cause?: unknown) =>
    new OperatorError(`--known-contracts ${path}: ${reason}`, { cause });
  const text = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw refuse(error.message, error);
  });
  if (text.length > MAX_FILE_BYTES) throw refuse(`more than ${MAX_FILE_BYTES} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(withoutByteOrderMark(text.toString('utf8')));
  } catch (error) {
    throw refuse('is not JSON', error);
  }
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) throw refuse(parsed.error.issues[0]?.message ?? 'is not valid');
  return new Map(Object.entries(parsed.data).map(([hash, name]) => [parseHash(hash), name] as const));
}
