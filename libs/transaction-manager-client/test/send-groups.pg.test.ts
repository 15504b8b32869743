import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManagerClient } from '../src/manager-client.js';
import { until } from '@tetrad/testkit';
import { silentMetrics } from '@tetrad/types';
import { recordedPair } from '../../transaction-manager/test/recorded.js';
import { startManager, type RunningManager } from '../../transaction-manager/test/running-managers.js';

const [A1, B1] = [recordedPair('a1').publicKey, recordedPair('b1').publicKey];
const ELSEWHERE = recordedPair('c1').publicKey;
const PATH = 'sendsignedtxs';

let manager: RunningManager;
let other: RunningManager;
beforeAll(async () => {
  manager = await startManager(['a1']);
  other = await startManager(['b1'], { peers: [manager.peerUrl] });
  await until(async () => manager.parties.find(B1) !== undefined);
});
afterAll(async () => {
  await other.end();
  await manager.end();
});

const METADATA = { privacyFlag: 0, affected: [], execHash: '', mandatoryFor: [] } as const;
const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const put = (text: string) => manager.manager.storeRaw(Buffer.from(text), undefined);

async function ask(body: unknown, port = manager.clientUrl, path = PATH): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(`${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: text,
  });
}

interface Line {
  readonly hash: string;
  readonly status: number;
  readonly text?: string;
}

const linesOf = async (answer: Response) =>
  (await answer.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

describe('POST /sendsignedtxs', () => {
  it('sends each payload, and says of each what /sendsignedtx says', async () => {
    const good = toText(await put('good'));
    const unknownParty = toText(await put('for a key that no manager has'));
    const absent = randomBytes(64).toString('base64');
    const bad = toText(await put('without its root'));
    const sends = [
      { hash: unknownParty, to: [ELSEWHERE] },
      { hash: absent, to: [B1] },
      { hash: good, to: [B1] },
      { hash: bad, to: [B1], privacyFlag: 3 },
    ];
    const lines = await linesOf(await ask({ sends }));
    expect(lines).toHaveLength(4);
    for (const [index, one] of sends.entries()) {
      const line = lines.find(({ hash }) => hash === one.hash);
      // A repeated one is refused, so that the good one is compared with what it was answered.
      const alone = index === 2 ? undefined : await ask(one, manager.clientUrl, 'sendsignedtx');
      expect(line).toEqual(
        alone === undefined
          ? { hash: good, status: 201, managedParties: [A1], senderKey: A1 }
          : { hash: one.hash, status: alone.status, text: expect.any(String) },
      );
      if (alone !== undefined && index !== 3) expect(line?.text).toBe(await alone.text());
    }
    expect(await other.manager.find(Buffer.from(good, 'base64'))).toBeDefined();
  });

  it.each([
    ['{}', 'HTTP 400 Bad Request (sends)'],
    ['{"sends":[]}', 'HTTP 400 Bad Request (sends)'],
    ['{"sends":[[]]}', 'HTTP 400 Bad Request (sends)'],
    ['{"sends":[{}]}', 'HTTP 400 Bad Request (hash)'],
    ['{"sends":[{"hash":"AA=="}]}', 'HTTP 400 Bad Request (hash)'],
    [JSON.stringify({ sends: Array(65).fill({}) }), 'sends has 65 entries; the limit is 64'],
  ])('refuses %p as a whole', async (body, text) => {
    const answer = await ask(body);
    expect([answer.status, await answer.text()]).toEqual([400, text]);
  });

  it('sends none of a request of which one has no hash', async () => {
    const hash = toText(await put('not sent'));
    expect((await ask({ sends: [{ hash, to: [B1] }, {}] })).status).toBe(400);
    await expect(manager.manager.find(Buffer.from(hash, 'base64'))).rejects.toThrow('was not found');
  });

  it('is announced on the port that has it alone', async () => {
    const announced = async (url: string) =>
      (await fetch(`${url}version/api`)).headers.get('tetrad-send-groups');
    expect(await announced(manager.clientUrl)).toBe('1');
    for (const port of [manager.peerUrl, manager.thirdPartyUrl ?? '']) {
      expect(await announced(port)).toBeNull();
      expect((await ask({ sends: [{ hash: toText(randomBytes(64)) }] }, port)).status).toBe(404);
    }
  });

  it('is what the client sends with while a send is under way', async () => {
    const requests: unknown[] = [];
    const counter = {
      ...silentMetrics.counter('', ''),
      increment: (labels: unknown) => void requests.push(labels),
    };
    const metrics = { ...silentMetrics, counter: () => counter };
    const client = new ManagerClient({ url: manager.clientUrl, timeoutMs: 60_000, metrics });
    await client.features();
    requests.length = 0;
    const hashes = await Promise.all(Array.from({ length: 20 }, (_, index) => put(`together ${index}`)));
    const absent = randomBytes(64);
    const sent = await Promise.all(
      [...hashes, absent].map((hash) => client.sendSigned({ hash, to: [B1], ...METADATA })),
    );
    expect(sent.slice(0, -1)).toEqual(
      hashes.map((hash) => ({
        kind: 'done',
        value: { hash: Buffer.from(hash), managedParties: [A1], sender: A1 },
      })),
    );
    expect(sent.at(-1)).toEqual({
      kind: 'refused',
      status: 404,
      text: `Raw Transaction with hash ${toText(absent)} was not found`,
    });
    for (const hash of hashes) expect(await other.manager.find(hash)).toBeDefined();
    expect(requests.length).toBeLessThan(hashes.length);
    expect(requests).toContainEqual({ request: 'sendsignedtxs', outcome: 'done' });
    await client.close();
  });
});
