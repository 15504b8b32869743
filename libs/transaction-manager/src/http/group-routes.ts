import type { GroupPages, PrivacyGroups } from '../group/privacy-groups.js';
import { MAX_GROUP_TEXT, MAX_SEED_BYTES } from '../group/group-message.js';
import { ManagerError } from '../manager-error.js';
import { toBase64 } from '../payload/base64.js';
import type { PrivacyGroup } from '../store/privacy-group-store.js';
import {
  base64Bytes,
  optionalKey,
  optionalText,
  parseMembers,
  publicKey,
  requiredList,
  requiredText,
  type Members,
} from './json-members.js';
import { JSON_TYPE, json, type HttpAnswer, type HttpRequest, type Route } from './route.js';

const KINDS = { resident: 'RESIDENT', legacy: 'LEGACY', pantheon: 'PANTHEON' } as const;

/** Requests of clients about privacy groups. */
export function groupRoutes(groups: PrivacyGroups): Route[] {
  const post = (path: string, handle: (members: Members) => Promise<HttpAnswer>): Route => ({
    method: 'POST',
    path,
    consumes: [JSON_TYPE],
    handle: ({ body }: HttpRequest) => handle(parseMembers(body)),
  });
  const kinds = Object.entries(KINDS).map(([name, kind]): Route => ({
    method: 'GET',
    path: `/groups/${name}`,
    handle: () => list(groups.ofKind(kind)),
  }));
  return [
    ...kinds,
    post('/createPrivacyGroup', async (members) => json(toJson(await groups.create(newGroup(members))))),
    post('/findPrivacyGroup', (members) => list(groups.findByMembers(addressesOf(members)))),
    post('/retrievePrivacyGroup', async (members) => json(toJson(await groups.get(idOf(members))))),
    post('/deletePrivacyGroup', async (members) => {
      const id = idOf(members);
      await groups.delete(id, optionalKey(members, 'from'));
      return json(toBase64(id));
    }),
  ];
}

/** A list of several pages is sent page by page: 1,000 groups of 1,000 members are 44 MB. */
async function list(pages: GroupPages): Promise<HttpAnswer> {
  const first = await pages.next();
  if (first.done === true) return json([]);
  const second = await pages.next();
  if (second.done === true) return json(first.value.map(toJson));
  return {
    status: 200,
    type: JSON_TYPE,
    body: `[${itemsOf(first.value)}`,
    rest: restOf(second.value, pages),
  };
}

async function* restOf(second: readonly PrivacyGroup[], others: GroupPages): AsyncGenerator<string> {
  yield `,${itemsOf(second)}`;
  for await (const page of others) yield `,${itemsOf(page)}`;
  yield ']';
}

function itemsOf(groups: readonly PrivacyGroup[]): string {
  return groups.map((group) => JSON.stringify(toJson(group))).join(',');
}

function newGroup(members: Members) {
  const seed = optionalText(members, 'seed');
  const bytes = seed === undefined ? undefined : base64Bytes(seed);
  if (bytes !== undefined && bytes.length > MAX_SEED_BYTES)
    throw new ManagerError('invalid', `seed has ${bytes.length} bytes; the limit is ${MAX_SEED_BYTES}`);
  return {
    name: shortText(members, 'name'),
    description: shortText(members, 'description'),
    members: addressesOf(members),
    from: optionalKey(members, 'from'),
    seed: bytes,
  };
}

function shortText(members: Members, name: string): string {
  const value = optionalText(members, name) ?? '';
  // Rows of the database cannot hold a zero character.
  if (value.includes('\0')) throw new ManagerError('invalid', `${name} has a zero character`);
  if (Buffer.byteLength(value) <= MAX_GROUP_TEXT) return value;
  throw new ManagerError('invalid', `${name} has more than ${MAX_GROUP_TEXT} bytes`);
}

function addressesOf(members: Members) {
  return requiredList(members, 'addresses').map(publicKey);
}

function idOf(members: Members): Buffer {
  return base64Bytes(requiredText(members, 'privacyGroupId'));
}

/** Members sorted by name, as existing managers write them. */
function toJson({ description, members, name, id, kind }: PrivacyGroup): object {
  return { description, members, name, privacyGroupId: toBase64(id), type: kind };
}
