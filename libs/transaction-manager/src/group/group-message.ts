import { isUtf8 } from 'node:buffer';
import type { PtmKey } from '@tetrad/types';
import { KEY_BYTES, keyFromBytes, keyToBytes } from '../keys/key-pair.js';
import { MAX_PARTIES, MalformedPayloadError } from '../payload/encoded-payload.js';
import { FieldReader } from '../payload/field-reader.js';
import { FieldWriter } from '../payload/field-writer.js';

/** Most bytes of a name, a description and a seed. */
export const MAX_GROUP_TEXT = 4_096;
export const MAX_SEED_BYTES = 64;

/** Groups are created by clients, which choose the members, or defined in the configuration of a manager. */
const GROUP_KINDS = ['PANTHEON', 'LEGACY', 'RESIDENT'] as const;
export type GroupKind = (typeof GROUP_KINDS)[number];

/** The message about a group between managers; its id follows from it. */
export interface GroupMessage {
  readonly name: string;
  readonly description: string;
  readonly members: readonly PtmKey[];
  readonly seed: Uint8Array;
  readonly kind: GroupKind;
  /** Whether it has not been deleted. */
  readonly active: boolean;
}

/**
 * With F(x) a length (8) and the bytes, and A(x) a count (8) and an F of each:
 *
 *   F(name) | F(description) | A(member 32) | F(seed) | F(kind) | F(`ACTIVE` or `DELETED`)
 */
export function encodeGroupMessage(group: GroupMessage): Uint8Array {
  const writer = new FieldWriter();
  const writeText = (text: string) => writer.field(Buffer.from(text));
  writeText(group.name);
  writeText(group.description);
  writer.list(group.members, (key) => writer.field(keyToBytes(key)));
  writer.field(group.seed);
  writeText(group.kind);
  writeText(group.active ? 'ACTIVE' : 'DELETED');
  return writer.bytes();
}

/** @throws MalformedPayloadError */
export function decodeGroupMessage(bytes: Uint8Array): GroupMessage {
  const reader = new FieldReader(bytes);
  const text = (name: string) => readText(bounded(reader.field(name), name, MAX_GROUP_TEXT), name);
  const name = text('name');
  const description = text('description');
  const members = reader.list('members', MAX_PARTIES, () => keyFromBytes(reader.field('member', KEY_BYTES)));
  const seed = bounded(reader.field('seed'), 'seed', MAX_SEED_BYTES);
  const kind = oneOf(GROUP_KINDS, text('type'), 'type');
  const state = oneOf(['ACTIVE', 'DELETED'] as const, text('state'), 'state');
  reader.end();
  return { name, description, members, seed, kind, active: state === 'ACTIVE' };
}

function readText(bytes: Uint8Array, name: string): string {
  // Rows of the database cannot hold a zero character.
  if (!isUtf8(bytes) || bytes.includes(0)) throw new MalformedPayloadError(`${name} is not text`);
  return Buffer.from(bytes).toString('utf8');
}

function bounded(bytes: Uint8Array, name: string, most: number): Uint8Array {
  if (bytes.length <= most) return bytes;
  throw new MalformedPayloadError(`${name} has ${bytes.length} bytes; the limit is ${most}`);
}

function oneOf<const Word extends string>(words: readonly Word[], text: string, name: string): Word {
  const word = words.find((one) => one === text);
  if (word === undefined) throw new MalformedPayloadError(`${name} is not one of ${words.join(', ')}`);
  return word;
}
