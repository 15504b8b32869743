import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { encodeGroupMessage } from '../src/group/group-message.js';
import { PrivacyGroups } from '../src/group/privacy-groups.js';
import { KeyRing } from '../src/keys/key-ring.js';
import { PartyTable } from '../src/party/party-table.js';
import type { PeerClient } from '../src/party/peer-client.js';
import { openManagerClient, type ManagerClient } from '../src/store/manager-client.js';
import { PrivacyGroupStore } from '../src/store/privacy-group-store.js';
import { recordedPair } from './recorded.js';

const MOST = 4;
const [OWN, OTHER] = [recordedPair('a1'), recordedPair('b1')];
const MEMBERS = [OWN.publicKey, OTHER.publicKey];
const TEXTS = { name: 'n', description: 'd' };

let testDatabase: TestDatabase;
let database: Database;
let rows: ManagerClient;
beforeAll(async () => {
  testDatabase = await createTestDatabase('transaction-manager');
  database = await connectDatabase({ url: testDatabase.url });
  rows = openManagerClient(database);
});
beforeEach(() => database.pool.query('TRUNCATE privacy_group'));
afterAll(async () => {
  await rows.close();
  await database.close();
  await testDatabase.drop();
});

/** Groups with room for four, and the paths that were posted to another manager. */
function open() {
  const posted: string[] = [];
  const ring = new KeyRing([OWN]);
  const parties = new PartyTable({ url: 'http://own/', keys: ring.keys, peers: [] });
  parties.setHolder(OTHER.publicKey, { url: 'http://other/', bound: true, active: true });
  const post = async (_: string, path: string) => {
    posted.push(path);
    return { status: 200, text: '', headers: {} };
  };
  const peers = { post } as unknown as PeerClient;
  const store = new PrivacyGroupStore(rows, MOST);
  const groups = new PrivacyGroups({ ring, parties, peers, store, resident: undefined });
  return { groups, posted };
}

const create = ({ groups }: ReturnType<typeof open>) =>
  groups.create({ ...TEXTS, members: MEMBERS, from: undefined, seed: undefined });

function hearOf({ groups }: ReturnType<typeof open>, seed: Uint8Array = randomBytes(20)): Promise<void> {
  const message = { ...TEXTS, members: MEMBERS, seed, kind: 'PANTHEON', active: true } as const;
  return groups.accept(encodeGroupMessage(message));
}

it('groups that others tell of take half of the room, and ours the rest', async () => {
  const one = open();
  const seed = randomBytes(20);
  await hearOf(one, seed);
  await hearOf(one);
  await expect(hearOf(one)).rejects.toThrow('there are 2 privacy groups; that is the limit');
  // One that is known already is still no failure of who tells of it.
  await hearOf(one, seed);
  for (let count = 2; count < MOST; count += 1) await create(one);
  await expect(create(one)).rejects.toThrow('there are 4 privacy groups; that is the limit');
});

it('a group without room here is not sent to its members', async () => {
  const one = open();
  for (let count = 0; count < MOST; count += 1) await create(one);
  expect(one.posted).toHaveLength(MOST);
  await expect(create(one)).rejects.toThrow('that is the limit');
  expect(one.posted).toHaveLength(MOST);
});
