import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { recordedPair } from '../../transaction-manager/test/recorded.js';
import { startManager, type RunningManager } from '../../transaction-manager/test/running-managers.js';
import { ManagerClient } from '../src/manager-client.js';

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

describe('messages between parties, as a node uses them', () => {
  it('are known to be carried by a manager of ours', async () => {
    expect(await clientOf(0).features()).toMatchObject({ kind: 'done', value: { partyMessages: true } });
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

  it('are refused in the words of the manager', async () => {
    const message = { from: A, kind: 'test', body: new Uint8Array(1) };
    expect(await clientOf(0).sendMessage({ ...message, to: A })).toMatchObject({
      kind: 'refused',
      status: 400,
      text: `to is a key of this manager: ${A}`,
    });
  });
});
