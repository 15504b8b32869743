import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { recordedPair } from '../../transaction-manager/test/recorded.js';
import { startManager, type RunningManager } from '../../transaction-manager/test/running-managers.js';
import { LinkBetween, type Interference } from '../../transaction-manager/test/link-between.js';
import { ManagerClient } from '../src/manager-client.js';
import type { PartyMessage } from '../src/party-messages.js';

const A = recordedPair('a1').publicKey;
const B = recordedPair('b1').publicKey;

let managers: RunningManager[];
let clients: ManagerClient[];
beforeAll(async () => {
  const first = await startManager(['a1']);
  const second = await startManager(['b1'], { peers: [first.peerUrl] });
  managers = [first, second];
  clients = managers.map(({ clientUrl }) => new ManagerClient({ url: new URL(clientUrl).origin }));
  await until(() => first.parties.find(B) !== undefined && second.parties.find(A) !== undefined);
});
afterAll(async () => {
  for (const client of clients) await client.close();
  for (const manager of managers.reverse()) await manager.end();
});

function clientOf(index: 0 | 1): ManagerClient {
  return clients[index] as ManagerClient;
}

/** The messages that wait at the second manager, once there are so many. */
async function unread(count: number) {
  const client = clientOf(1);
  let found = await client.unreadMessages();
  await until(async () => {
    found = await client.unreadMessages();
    return found.kind === 'done' && found.value.length === count;
  });
  return found.kind === 'done' ? found.value : [];
}

const messageOf = (text: string) => ({ from: A, to: B, kind: 'test', body: Buffer.from(text) });

/** Gives messages to the first manager over a host in between; how many requests it took. */
async function sendOver(interference: Interference, messages: readonly PartyMessage[]) {
  const link = await LinkBetween.start();
  link.target = managers[0]?.clientUrl ?? '';
  link.interference = interference;
  const client = new ManagerClient({ url: new URL(link.url).origin });
  const sent = await client.sendMessages(messages);
  await client.close();
  await link.end();
  return { sent, requests: link.messageGroups };
}

/** Texts of so many messages, which the second manager may have one after another. */
async function readAll(count: number): Promise<string[]> {
  const found: string[] = [];
  await until(async () => {
    const messages = await clientOf(1).unreadMessages();
    if (messages.kind !== 'done') return false;
    found.push(...messages.value.map(({ body }) => Buffer.from(body).toString()));
    await clientOf(1).acknowledgeMessages(messages.value.map(({ id }) => id));
    return found.length >= count;
  });
  return found;
}

describe('messages between parties, as a node uses them', () => {
  it('are known to be carried by a manager of ours', async () => {
    expect(await clientOf(0).features()).toMatchObject({
      kind: 'done',
      value: { partyMessages: true, messageGroups: true },
    });
  });

  it('come as they were given, the longest and the empty one too, until they are acknowledged', async () => {
    const bodies = [randomBytes(65_536), new Uint8Array(0)];
    for (const body of bodies)
      expect(await clientOf(0).sendMessage({ from: A, to: B, kind: 'test-1', body })).toEqual({
        kind: 'done',
        value: 'accepted',
      });
    const received = await unread(2);
    expect(received).toMatchObject([
      { from: A, to: B, kind: 'test-1' },
      { from: A, to: B, kind: 'test-1' },
    ]);
    expect(received.map(({ body }) => Buffer.from(body).equals(bodies[0] as Uint8Array))).toEqual([
      true,
      false,
    ]);
    expect(received[1]?.body).toHaveLength(0);
    const ids = received.map(({ id }) => id);
    expect(await clientOf(1).acknowledgeMessages(ids)).toMatchObject({ kind: 'done' });
    expect(await unread(0)).toEqual([]);
  });

  it('go together to a manager that takes several, in their order', async () => {
    const given = Array.from({ length: 150 }, (_, index) => messageOf(`message ${index}`));
    const { sent, requests } = await sendOver({}, given);
    expect(sent).toEqual(given.map(() => ({ kind: 'done', value: 'accepted' })));
    expect(requests).toBe(3);
    expect(await readAll(given.length)).toEqual(given.map(({ body }) => body.toString()));
  });

  it('of 64 KiB go together as far as 1 MiB has room', async () => {
    const given = Array.from({ length: 20 }, () => ({ ...messageOf(''), body: randomBytes(65_536) }));
    const { sent, requests } = await sendOver({}, given);
    expect(sent).toEqual(given.map(() => ({ kind: 'done', value: 'accepted' })));
    expect(requests).toBe(2);
    expect(await readAll(given.length)).toHaveLength(given.length);
  });

  it('go one by one to a manager of before, and where the request for all is refused', async () => {
    const given = ['one', 'two', 'three'].map(messageOf);
    const bad = { ...messageOf('bad'), kind: 'BAD' };
    const before = await sendOver(
      { answer: (headers) => void delete headers['tetrad-message-groups'] },
      given,
    );
    expect(before.requests).toBe(3);
    const refused = await sendOver({}, [...given, bad, messageOf('four')]);
    expect(refused.requests).toBe(6);
    const accepted = { kind: 'done', value: 'accepted' };
    const ofBad = { kind: 'refused', status: 400, text: expect.stringContaining('kind') };
    expect(refused.sent).toEqual([accepted, accepted, accepted, ofBad, accepted]);
    expect(await readAll(7)).toEqual(['one', 'two', 'three', 'one', 'two', 'three', 'four']);
  });

  it('together have an outcome each, and are unknown where the manager is away', async () => {
    const elsewhere = recordedPair('c1').publicKey;
    const given = [messageOf('here'), { ...messageOf('x'), to: elsewhere }];
    expect(await clientOf(0).sendMessages(given)).toEqual([
      { kind: 'done', value: 'accepted' },
      { kind: 'refused', status: 404, text: `Recipient not found for key: ${elsewhere}` },
    ]);
    expect(await readAll(1)).toEqual(['here']);
    expect(await clientOf(0).sendMessages([])).toEqual([]);
    const away = await sendOver({ drops: (path) => path === '/partymessages' }, given);
    expect(away.sent).toEqual(given.map(() => ({ kind: 'refused', status: 502, text: 'Bad Gateway' })));
    expect(away.requests).toBe(1);
  });

  it('are refused in the words of the manager', async () => {
    const message = { from: A, kind: 'test', body: new Uint8Array(1) };
    expect(await clientOf(0).sendMessage({ ...message, to: A })).toMatchObject({
      kind: 'refused',
      status: 400,
      text: `to is a key of this manager: ${A}`,
    });
  });
});
