import { keccak256 } from '@tetrad/crypto';
import { readBounded, writeNewWhole } from '@tetrad/files';
import {
  decodeSignature,
  disclosureHash,
  encodeSignature,
  rollupDomain,
  sign,
  verifySignature,
} from '@tetrad/rollup-crypto';
import { OperatorError, bytesFromHex, hexFromBytes } from '@tetrad/types';
import { DisclosureError } from './disclosure-error.js';
import { signedViewKeySchema, type ViewKeyText } from './view-key-schema.js';
import { decodeViewKey, encodeViewKey } from './view-key-words.js';
import { VIEW_KEY_LIMITS, type SignedViewKey, type ViewKey } from './view-key.js';

/**
 * Signs a view key by the account whose operations it opens.
 *
 * @param viewKey - what is disclosed
 * @param secretKey - of the account
 * @returns it with its signature
 */
export function signViewKey(viewKey: ViewKey, secretKey: bigint): SignedViewKey {
  return { viewKey, signature: sign(secretKey, messageOf(viewKey, encodeViewKey(viewKey))) };
}

/**
 * Writes a view key into a new file that only its owner can read.
 *
 * @param path - of the file, which must not exist
 * @param signed - the view key
 * @throws OperatorError when there is such a file, or it cannot be written
 */
export async function writeViewKey(path: string, signed: SignedViewKey): Promise<void> {
  const text = formatViewKey(signed);
  const { length } = Buffer.from(text);
  if (length > VIEW_KEY_LIMITS.bytes)
    throw new OperatorError(
      `the view key has ${length} bytes, above ${VIEW_KEY_LIMITS.bytes}: disclose a shorter period`,
    );
  await writeNewWhole(path, text).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      error.code === 'EEXIST' ? `${path}: exists already` : `${path}: cannot be written (${error.code})`,
    );
  });
}

/** What is in the file of a view key. */
export function formatViewKey({ viewKey, signature }: SignedViewKey): string {
  const file = { viewKey: encodeViewKey(viewKey), signature: hexFromBytes(encodeSignature(signature)) };
  return `${JSON.stringify(file)}\n`;
}

/**
 * Reads a view key, and checks that the account in it has signed all of it.
 *
 * @param path - of a file from anywhere
 * @returns the view key; what it says of the chain is not checked yet
 * @throws OperatorError when the file cannot be read; DisclosureError for what is no view key, and for a wrong signature
 */
export async function readViewKey(path: string): Promise<SignedViewKey> {
  const text = await readBounded(path, VIEW_KEY_LIMITS.bytes).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`${path}: cannot be read (${error.code})`);
  });
  if (text === undefined)
    throw new DisclosureError('the file', `has more than ${VIEW_KEY_LIMITS.bytes} bytes`);
  return parseViewKey(text);
}

/** As `readViewKey`, of the text of a file. */
export function parseViewKey(text: string): SignedViewKey {
  const parsed = signedViewKeySchema.safeParse(parseJson(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new DisclosureError('the file', `${issue?.path.join('.') || 'it'}: ${issue?.message}`);
  }
  const viewKey = decodeViewKey(parsed.data.viewKey);
  const signature = decodeSignature(bytesFromHex(parsed.data.signature));
  const message = messageOf(viewKey, parsed.data.viewKey);
  if (signature === undefined || !verifySignature(viewKey.account.publicKey, message, signature))
    throw new DisclosureError('the signature', `is not that of account ${viewKey.account.id} for this file`);
  return { viewKey, signature };
}

function messageOf({ chainId, contract }: ViewKey, text: ViewKeyText): bigint {
  const digest = keccak256(new TextEncoder().encode(canonicalJson(text)));
  return disclosureHash(rollupDomain(chainId, contract), digest);
}

/** JSON without spaces, the names of each object in the order of their code units. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(',')}}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
