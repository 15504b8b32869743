import { readJson } from '@tetrad/rpc';
import type { PtmKey } from '@tetrad/types';
import { KEY_BYTES, keyFromBytes } from '../keys/key-pair.js';
import { ManagerError } from '../manager-error.js';
import { MAX_PARTIES } from '../payload/encoded-payload.js';

/** Members of a JSON object of a stranger. */
export type Members = Readonly<Record<string, unknown>>;

/** No body of the API nests deeper than an object in a list of an object. */
const MAX_DEPTH = 8;

/**
 * Most members and entries of a body: the lists of a payload have 1,000 each. Of 10 MB that are a million members, reading
 * takes more than a second, in which no other request is answered.
 */
const MAX_VALUES = 16_384;
const COMMA = 0x2c;

/**
 * The object of a body, without duplicate keys.
 * @throws ManagerError 400
 */
export function parseMembers(body: Buffer): Members {
  refuseMany(body);
  let value: unknown;
  try {
    value = readJson(body, MAX_DEPTH);
  } catch {
    throw badRequest();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badRequest();
  return value as Members;
}

/** Commas are counted, which texts of the API have few of: base64 has none, and names and descriptions are short. */
function refuseMany(body: Buffer): void {
  let at = -1;
  for (let commas = 0; commas < MAX_VALUES; commas += 1) {
    at = body.indexOf(COMMA, at + 1);
    if (at === -1) return;
  }
  throw new ManagerError('invalid', `the body has more than ${MAX_VALUES} members and entries`);
}

/**
 * A text; nothing when it is absent or null.
 * @throws ManagerError 400 for another type
 */
export function optionalText(members: Members, name: string): string | undefined {
  const value = members[name] ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw badRequest(name);
}

export function requiredText(members: Members, name: string): string {
  const value = optionalText(members, name);
  if (value === undefined) throw badRequest(name);
  return value;
}

/** A list of texts that has to be there. */
export function requiredList(members: Members, name: string): string[] {
  if (members[name] === undefined || members[name] === null) throw badRequest(name);
  return textList(members, name);
}

/** A list of texts; empty when it is absent or null. */
export function textList(members: Members, name: string): string[] {
  const value = members[name] ?? [];
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) throw badRequest(name);
  if (value.length > MAX_PARTIES)
    throw new ManagerError('invalid', `${name} has ${value.length} entries; the limit is ${MAX_PARTIES}`);
  return value as string[];
}

const NOT_BASE64 = /[^A-Za-z0-9+/=]/;

/**
 * The bytes of standard base64.
 * @throws ManagerError 500 with the text of existing managers
 */
export function base64Bytes(value: string): Buffer {
  const [wrong] = NOT_BASE64.exec(value) ?? [];
  if (wrong !== undefined)
    throw new ManagerError('rejected', `Illegal base64 character ${wrong.charCodeAt(0).toString(16)}`);
  return Buffer.from(value, 'base64');
}

/**
 * The public key of a text.
 * @throws ManagerError 500
 */
export function publicKey(value: string): PtmKey {
  const bytes = base64Bytes(value);
  if (bytes.length !== KEY_BYTES)
    throw new ManagerError('rejected', `a public key has ${KEY_BYTES} bytes, not ${bytes.length}`);
  return keyFromBytes(bytes);
}

/** The public key of a text; nothing when it is absent or empty. */
export function optionalKey(members: Members, name: string): PtmKey | undefined {
  const value = optionalText(members, name);
  return value === undefined || value === '' ? undefined : publicKey(value);
}

export function badRequest(name?: string): ManagerError {
  return new ManagerError('invalid', `HTTP 400 Bad Request${name === undefined ? '' : ` (${name})`}`);
}
