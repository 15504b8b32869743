import { MemberNames, isObject, readJson } from '@tetrad/rpc';
import { z } from 'zod';

/** What tokens with permissions are signed with (HS256). */
export interface TokenSecret {
  readonly secret: Uint8Array;
  /** Claim of the tokens that lists permissions, as the coin network's node writes it. */
  readonly permissionsClaim: 'Allow';
}

const MIN_BYTES = 32;
const MAX_DEPTH = 4;

/** What a text that holds no secret breaks; it quotes nothing of the text. */
export const TOKEN_SECRET_RULE = `must hold at least ${MIN_BYTES} bytes as hex digits, or a key-store entry of type jwt-hmac-secret`;

/** Entry `auth-jwt-private` of a node's key store. */
const keyStoreEntry = z.looseObject({ Type: z.literal('jwt-hmac-secret'), PrivateKey: z.base64() });

/**
 * The secret in a file: hex digits, or an entry of a node's key store.
 * @returns undefined when it holds none
 */
export function parseTokenSecret(content: string): TokenSecret | undefined {
  const text = content.trim();
  const secret = text.startsWith('{') ? fromKeyStore(text) : fromHex(text);
  if (secret === undefined || secret.length < MIN_BYTES) return undefined;
  return { secret, permissionsClaim: 'Allow' };
}

function fromHex(text: string): Uint8Array | undefined {
  return /^([0-9a-fA-F]{2})+$/.test(text) ? Buffer.from(text, 'hex') : undefined;
}

function fromKeyStore(text: string): Uint8Array | undefined {
  const parsed = keyStoreEntry.safeParse(parseQuietly(text));
  return parsed.success ? Buffer.from(parsed.data.PrivateKey, 'base64') : undefined;
}

/** As Go spells them, which reads them in any letter case. */
const MEMBERS = new MemberNames(['Type', 'PrivateKey']);

function parseQuietly(text: string): unknown {
  try {
    const entry = readJson(text, MAX_DEPTH);
    return isObject(entry) ? MEMBERS.respell(entry, () => new TypeError('a member twice')) : entry;
  } catch {
    return undefined;
  }
}
