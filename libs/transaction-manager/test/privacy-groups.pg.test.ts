import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { groupId } from '../src/group/group-id.js';
import { encodeGroupMessage } from '../src/group/group-message.js';
import { residentGroups } from '../src/group/resident-groups.js';
import { generateKeyPair } from '../src/keys/key-pair.js';
import { recorded, recordedPair } from './recorded.js';
import { startManager, type RunningManager } from './running-managers.js';

const [A1, A2, B1] = ['a1', 'a2', 'b1'].map((name) => recordedPair(name).publicKey) as [
  ReturnType<typeof recordedPair>['publicKey'],
  ReturnType<typeof recordedPair>['publicKey'],
  ReturnType<typeof recordedPair>['publicKey'],
];

let first: RunningManager;
let second: RunningManager;
beforeAll(async () => {
  const resident = [
    { name: 'ONE', description: 'first', members: [A1] },
    { name: 'TWO', description: 'second', members: [A2] },
  ];
  first = await startManager(['a1', 'a2'], { residentGroups: resident, maxBodyBytes: 100_000 });
  second = await startManager(['b1'], { peers: [first.peerUrl] });
  for (const { parties } of [first, second]) await until(async () => parties.entries.length === 3);
});
afterAll(async () => {
  await second.end();
  await first.end();
});

async function post(path: string, members: unknown, { clientUrl }: RunningManager = first) {
  const answer = await fetch(clientUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(members),
  });
  const text = await answer.text();
  return { status: answer.status, body: answer.ok ? (JSON.parse(text) as unknown) : text };
}

function push(message: Parameters<typeof encodeGroupMessage>[0] | Uint8Array): Promise<Response> {
  const body = message instanceof Uint8Array ? message : encodeGroupMessage(message);
  const headers = { 'content-type': 'application/octet-stream' };
  return fetch(`${first.peerUrl}pushPrivacyGroup`, { method: 'POST', headers, body: Uint8Array.from(body) });
}

const NEW = { addresses: [A1, B1], name: 'name', description: 'description' };

describe('a privacy group', () => {
  it('has the id that existing managers give it', () => {
    const { members, seed, id } = recorded.privacyGroup;
    const keys = members.map((name) => recordedPair(name).publicKey);
    const made = groupId([...keys, ...keys].reverse(), Buffer.from(seed, 'hex'));
    expect(Buffer.from(made).toString('base64')).toBe(id);
  });

  it('is found by its members, here and at the manager of each, until one deletes it', async () => {
    const { body } = await post('createPrivacyGroup', NEW);
    const { privacyGroupId } = body as { privacyGroupId: string };
    for (const manager of [first, second]) {
      expect((await post('retrievePrivacyGroup', { privacyGroupId }, manager)).body).toEqual(body);
      expect((await post('findPrivacyGroup', { addresses: [B1, A1] }, manager)).body).toEqual([body]);
      expect((await post('findPrivacyGroup', { addresses: [B1] }, manager)).body).toEqual([]);
    }
    const sent = await post('send', { payload: 'YGBgQFI=', privacyGroupId });
    const { key } = sent.body as { key: string };
    const path = `${second.clientUrl}transaction/${encodeURIComponent(key)}`;
    expect(await (await fetch(path)).json()).toMatchObject({ payload: 'YGBgQFI=', privacyGroupId });
    expect((await post('deletePrivacyGroup', { privacyGroupId, from: B1 }, second)).body).toBe(
      privacyGroupId,
    );
    for (const manager of [first, second]) {
      const text = `Privacy group Id[${privacyGroupId}] not found`;
      expect(await post('retrievePrivacyGroup', { privacyGroupId }, manager)).toEqual({
        status: 404,
        body: text,
      });
      expect((await post('findPrivacyGroup', { addresses: [A1, B1] }, manager)).body).toEqual([]);
    }
    expect((await post('send', { payload: 'YGBgQFI=', privacyGroupId })).status).toBe(404);
  });

  it.each([
    [
      'its creator is not a member',
      { from: A2 },
      403,
      'The list of members in a privacy group should include self',
    ],
    [
      'a member is not known',
      { addresses: [A1, generateKeyPair().publicKey] },
      404,
      /^Recipient not found for key/,
    ],
    ['its name is too long', { name: 'x'.repeat(5_000) }, 400, 'name has more than 4096 bytes'],
    ['its seed is too long', { seed: Buffer.alloc(65).toString('base64') }, 400, /^seed has 65 bytes/],
    ['it has no addresses', { addresses: null }, 400, 'HTTP 400 Bad Request (addresses)'],
    ['an address is not a key', { addresses: ['AAAA'] }, 500, 'a public key has 32 bytes, not 3'],
  ])('is refused when %s', async (_, members, status, text) => {
    const stored = async () => (await first.database.pool.query('SELECT FROM privacy_group')).rowCount;
    const before = await stored();
    const answer = await post('createPrivacyGroup', { ...NEW, ...members });
    expect(answer).toEqual({ status, body: typeof text === 'string' ? text : expect.stringMatching(text) });
    expect(await stored()).toBe(before);
  });

  it('of one seed is made once, and stays deleted', async () => {
    const seeded = { ...NEW, seed: Buffer.alloc(20, 7).toString('base64') };
    const { body } = await post('createPrivacyGroup', seeded);
    const { privacyGroupId } = body as { privacyGroupId: string };
    expect((await post('createPrivacyGroup', seeded)).status).toBe(500);
    const message = { ...NEW, members: [A1, B1], seed: Buffer.alloc(20, 7), kind: 'PANTHEON' as const };
    expect((await push({ ...message, name: 'other', active: true })).status).toBe(200);
    expect((await post('retrievePrivacyGroup', { privacyGroupId })).body).toEqual(body);
    expect((await post('deletePrivacyGroup', { privacyGroupId, from: A2 })).status).toBe(403);
    expect((await push({ ...message, active: false })).status).toBe(200);
    expect((await push({ ...message, active: true })).status).toBe(200);
    expect((await post('retrievePrivacyGroup', { privacyGroupId })).status).toBe(404);
    expect((await post('createPrivacyGroup', seeded)).status).toBe(500);
  });
});

describe('groups that peers announce', () => {
  const message = { name: 'n', description: 'd', seed: Buffer.alloc(20), active: true };

  it('are not kept without a key of ours, and are refused when their id follows from public data', async () => {
    const seed = Buffer.alloc(20, 9);
    const foreign = { ...message, seed, members: [B1], kind: 'PANTHEON' as const };
    expect((await push(foreign)).status).toBe(200);
    const privacyGroupId = Buffer.from(groupId([B1], seed)).toString('base64');
    expect((await post('retrievePrivacyGroup', { privacyGroupId })).status).toBe(404);
    expect((await push({ ...message, members: [A1], kind: 'RESIDENT', name: 'ONE' })).status).toBe(400);
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['100 kB of nothing', new Uint8Array(99_000)],
    ['a count past the end', Buffer.from('0000000000000000'.repeat(2) + 'ffffffffffffffff', 'hex')],
    ['a zero character', encodeGroupMessage({ ...message, name: 'a\0', members: [A1], kind: 'PANTHEON' })],
    [
      'a long name',
      encodeGroupMessage({ ...message, name: 'x'.repeat(4_097), members: [A1], kind: 'PANTHEON' }),
    ],
  ])('are refused when they are %s', async (_, bytes) => {
    expect((await push(bytes)).status).toBe(500);
  });
});

describe('resident groups', () => {
  it('are listed by kind, and are recipients', async () => {
    const list = async (kind: string, manager = first) => {
      const answer = await fetch(`${manager.clientUrl}groups/${kind}`);
      return [answer.status, await answer.text()] as const;
    };
    const [status, text] = await list('resident');
    expect([status, JSON.parse(text)]).toEqual([
      200,
      [
        expect.objectContaining({ privacyGroupId: Buffer.from('ONE').toString('base64'), members: [A1] }),
        expect.objectContaining({ name: 'TWO', type: 'RESIDENT', members: [A2] }),
      ],
    ]);
    expect(await list('legacy')).toEqual([200, '[]']);
    const off = 'Multiple private state feature is not available on this privacy manager';
    for (const kind of ['resident', 'legacy', 'pantheon'])
      expect(await list(kind, second)).toEqual([503, off]);
    const privacyGroupId = Buffer.from('TWO').toString('base64');
    const { body } = await post('send', { payload: 'YGBgQFI=', privacyGroupId });
    expect(body).toEqual({ key: expect.any(String) });
  });

  it.each([
    [[{ members: [A1] }], `${A2} must belong to a resident group`],
    [[{ members: [A1, A2] }, { members: [A2] }], 'Key cannot belong to more than one resident group.'],
    [[{ members: [A1, A2, B1] }], `Key ${B1} configured in resident groups must be locally managed`],
  ])('have each own key once', (groups, text) => {
    const named = groups.map((group) => ({ name: 'n', description: '', ...group }));
    expect(() => residentGroups(named, [A1, A2])).toThrow(text);
  });
});

describe('a bare payload', () => {
  it('is read with its metadata by its parties, and by no one else', async () => {
    const members = { payload: 'YGBgQFI=', to: [B1], privacyFlag: 3, execHash: 'root' };
    const { body } = await post('encodedpayload/create', members);
    expect(await post('encodedpayload/decrypt', body, second)).toEqual({
      status: 200,
      body: { payload: 'YGBgQFI=', affectedContractTransactions: [], execHash: 'root', privacyFlag: 3 },
    });
    expect((await post('encodedpayload/decrypt', body)).status).toBe(200);
    const boxes = (body as { recipientBoxes: string[] }).recipientBoxes;
    const spoiled = {
      ...(body as object),
      recipientBoxes: boxes.map(() => Buffer.alloc(48).toString('base64')),
    };
    expect((await post('encodedpayload/decrypt', spoiled, second)).status).toBe(500);
  });

  it.each([
    [{ cipherTextNonce: 'AAAA' }, 400, 'cipherTextNonce has 3 bytes, not 24'],
    [{ recipientBoxes: ['AAAA'] }, 400, 'recipientBoxes has 3 bytes, not 48'],
    [{ recipientBoxes: null }, 400, 'HTTP 400 Bad Request (recipientBoxes)'],
    [{ affectedContractTransactions: { AAAA: ['AAAA'] } }, 400, /^affectedContractTransactions has 3 bytes/],
    [{ affectedContractTransactions: [] }, 400, 'HTTP 400 Bad Request (affectedContractTransactions)'],
  ])('with %j is refused', async (members, status, text) => {
    const { body } = await post('encodedpayload/create', { payload: 'YGBgQFI=', to: [] });
    const answer = await post('encodedpayload/decrypt', { ...(body as object), ...members });
    expect(answer).toEqual({ status, body: typeof text === 'string' ? text : expect.stringMatching(text) });
  });

  it('with an unknown privacy mode counts as a standard one, as in the original', async () => {
    const { body } = await post('encodedpayload/create', { payload: 'YGBgQFI=', to: [] });
    const answer = await post('encodedpayload/decrypt', { ...(body as object), privacyMode: 4 });
    expect(answer).toMatchObject({ status: 200, body: { payload: 'YGBgQFI=', privacyFlag: 0 } });
  });

  it('with a duplicate member is refused', async () => {
    const body = `{"payload":"YGBgQFI=","to":[],"to":["${B1}"]}`;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${first.clientUrl}send`, { method: 'POST', headers, body });
    expect(answer.status).toBe(400);
  });
});
