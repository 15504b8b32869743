import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManagerClient } from '../src/manager-client.js';
import { until } from '@tetrad/testkit';
import { silentMetrics } from '@tetrad/types';
import { recordedPair } from '../../transaction-manager/test/recorded.js';
import { startManager, type RunningManager } from '../../transaction-manager/test/running-managers.js';

const B1 = recordedPair('b1').publicKey;

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

const METADATA = {
  privacyFlag: 0,
  affected: [],
  execHash: new Uint8Array(),
  mandatoryRecipients: [],
  privacyGroupId: undefined,
  from: undefined,
} as const;

async function send(payload: Uint8Array, to = [B1]): Promise<string> {
  const { hash } = await manager.manager.send({ payload, to, ...METADATA });
  return toText(hash);
}

const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

function ask(
  body: unknown,
  port = manager.clientUrl,
  type = 'application/json',
  path = 'payloads',
): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(`${port}${path}`, { method: 'POST', headers: { 'content-type': type }, body: text });
}

interface Answer {
  readonly payloads: readonly {
    readonly hash: string;
    readonly found?: { readonly payload: string };
    readonly absent?: boolean;
    readonly failure?: string;
  }[];
}

const held = async ({ clientUrl }: RunningManager) => {
  const answer = await fetch(`${clientUrl}payloads/held`);
  return [answer.status, await answer.text()] as const;
};

describe('GET /payloads/held', () => {
  it('says that there are none once no peer holds any, and then that there are', async () => {
    for (const one of [manager, other])
      await until(async () => (await held(one))[1] === JSON.stringify({ held: false }));
    const client = new ManagerClient({ url: manager.clientUrl, timeoutMs: 60_000 });
    expect(await client.holdsPayloads()).toEqual({ kind: 'done', value: false });
    await send(Buffer.from('first'));
    for (const one of [manager, other])
      expect(await held(one)).toEqual([200, JSON.stringify({ held: true })]);
    expect(await client.holdsPayloads()).toEqual({ kind: 'done', value: true });
    await client.close();
  });

  it('cannot tell while a peer may hold some, and is not there for peers', async () => {
    const unchecked = await startManager(['c1'], { peers: ['http://127.0.0.1:1/'] });
    try {
      expect(await held(unchecked)).toEqual([
        503,
        expect.stringContaining('not known whether payloads were lost'),
      ]);
      expect((await fetch(`${unchecked.peerUrl}payloads/held`)).status).toBe(404);
    } finally {
      await unchecked.end();
    }
  });
});

const absent = () => randomBytes(64).toString('base64');

describe('POST /payloads', () => {
  it('answers as GET /transaction does for each hash with its participants, in their order, and names each', async () => {
    const hashes = [await send(Buffer.from('one')), absent(), await send(Buffer.from('two'), [])];
    const { payloads } = (await (await ask({ hashes })).json()) as Answer;
    expect(payloads.map(({ hash }) => hash)).toEqual(hashes);
    const singly = await Promise.all(
      hashes.map((hash) =>
        fetch(`${manager.clientUrl}transaction/${encodeURIComponent(hash)}`, {
          headers: { accept: 'application/vnd.tessera-2.1+json' },
        }),
      ),
    );
    expect(singly.map(({ status }) => status)).toEqual([200, 404, 200]);
    for (const index of [0, 2]) {
      const named = `${manager.clientUrl}transaction/${encodeURIComponent(hashes[index] ?? '')}/participants`;
      const participants = (await (await fetch(named)).text()).split(',');
      const single = (await singly[index]?.json()) as object;
      expect(payloads[index]?.found).toEqual({ ...single, participants });
    }
    expect(payloads[1]).toEqual({ hash: hashes[1], absent: true });
  });

  it('says of a payload that no key opens why, and answers the others', async () => {
    const [hash, good] = [await send(Buffer.from('damaged')), await send(Buffer.from('good'))];
    await manager.database.pool.query('UPDATE payload SET encoded = $2 WHERE hash = $1', [
      Buffer.from(hash, 'base64'),
      Buffer.alloc(10),
    ]);
    const { payloads } = (await (await ask({ hashes: [hash, good] })).json()) as Answer;
    expect(payloads[0]).toEqual({ hash, failure: expect.any(String) });
    expect(payloads[1]?.found?.payload).toBe(Buffer.from('good').toString('base64'));
  });

  it('leaves payloads beyond four mebibytes to the next request', async () => {
    const hashes = [];
    for (let count = 0; count < 7; count += 1) hashes.push(await send(randomBytes(1_048_576), []));
    const { payloads } = (await (await ask({ hashes })).json()) as Answer;
    expect(payloads.map(({ hash }) => hash)).toEqual(hashes.slice(0, 5));
    const client = new ManagerClient({ url: manager.clientUrl, timeoutMs: 60_000 });
    const found = await Promise.all(hashes.map((hash) => client.find(Buffer.from(hash, 'base64'))));
    expect(found.map(({ kind }) => kind)).toEqual(hashes.map(() => 'found'));
    await client.close();
  });

  it.each([
    ['{}', 'HTTP 400 Bad Request (hashes)'],
    ['{"hashes":[]}', 'HTTP 400 Bad Request (hashes)'],
    ['{"hashes":"x"}', 'HTTP 400 Bad Request (hashes)'],
    ['{"hashes":[1]}', 'HTTP 400 Bad Request (hashes)'],
    ['{"hashes":["AA=="]}', 'hashes: a hash has 64 bytes, not 1'],
    [JSON.stringify({ hashes: Array(65).fill(absent()) }), 'hashes has 65 entries; the limit is 64'],
    [`{"hashes":["${absent()}"],"hashes":["${absent()}"]}`, 'HTTP 400 Bad Request'],
    ['[', 'HTTP 400 Bad Request'],
  ])('refuses %p', async (body, text) => {
    const answer = await ask(body);
    expect([answer.status, await answer.text()]).toEqual([400, text]);
  });

  it('refuses other media types, and is not there for peers and applications', async () => {
    const body = { hashes: [absent()] };
    const wrongType = await ask(body, manager.clientUrl, 'text/plain');
    // As for other paths: existing managers answer 500.
    expect([wrongType.status, await wrongType.text()]).toEqual([500, 'HTTP 415 Unsupported Media Type']);
    expect((await ask(body, manager.peerUrl)).status).toBe(404);
    expect((await ask(body, manager.thirdPartyUrl ?? '')).status).toBe(404);
  });

  it('is there for payloads that wait for their transaction, and for those alone', async () => {
    const raw = toText(await manager.manager.storeRaw(Buffer.from('waits'), undefined));
    const body = { hashes: [raw, await send(Buffer.from('sent'))] };
    const answer = await ask(body, manager.clientUrl, 'application/json', 'payloads/raw');
    const { payloads } = (await answer.json()) as Answer;
    expect(payloads.map(({ found, absent }) => found?.payload ?? absent)).toEqual([
      toText(Buffer.from('waits')),
      true,
    ]);
    for (const port of [manager.peerUrl, manager.thirdPartyUrl ?? ''])
      expect((await ask(body, port, 'application/json', 'payloads/raw')).status).toBe(404);
  });

  it('is what the client asks for raw payloads that are wanted while it reads one', async () => {
    const requests: unknown[] = [];
    const counter = {
      ...silentMetrics.counter('', ''),
      increment: (labels: unknown) => void requests.push(labels),
    };
    const metrics = { ...silentMetrics, counter: () => counter };
    const client = new ManagerClient({ url: manager.clientUrl, timeoutMs: 60_000, metrics });
    await client.features();
    requests.length = 0;
    const sizes = Array.from({ length: 20 }, (_, index) => index + 1);
    const hashes = await Promise.all(
      sizes.map((size) => manager.manager.storeRaw(new Uint8Array(size), undefined)),
    );
    const found = await Promise.all([...hashes, randomBytes(64)].map((hash) => client.findRaw(hash)));
    expect(found.map((one) => (one.kind === 'found' ? one.value.plaintext.length : one.kind))).toEqual([
      ...sizes,
      'not-found',
    ]);
    const done = (request: string) => ({ request, outcome: 'done' });
    expect(requests).toHaveLength(2);
    expect(requests).toEqual(expect.arrayContaining([done('transaction'), done('payloads')]));
    await client.close();
  });

  it('is announced on the port that has it alone', async () => {
    const announced = async (url: string) =>
      (await fetch(`${url}version/api`)).headers.get('tetrad-payload-lookups');
    expect(await announced(manager.clientUrl)).toBe('3');
    expect(await announced(manager.peerUrl)).toBeNull();
    expect(await announced(manager.thirdPartyUrl ?? '')).toBeNull();
  });
});

describe('POST /payloads/raw/new', () => {
  const NEW = 'payloads/raw/new';
  const put = async (text: string) => toText(await manager.manager.storeRaw(Buffer.from(text), undefined));

  it('hands payloads over that were stored since a place, as /payloads/raw answers', async () => {
    const place = (await (await ask({}, undefined, undefined, NEW)).json()) as { readonly last: number };
    expect(place).toEqual({ last: expect.any(Number), payloads: [] });
    const waiting = ask({ after: place.last }, undefined, undefined, NEW);
    const hash = await put('handed over');
    const { payloads } = (await (
      await ask({ hashes: [hash] }, undefined, undefined, 'payloads/raw')
    ).json()) as Answer;
    expect(await (await waiting).json()).toEqual({ last: place.last + 1, payloads });
  });

  it.each([-1, 0.5, '1', null])('refuses %j as a place, and is not there for peers', async (after) => {
    const answer = await ask({ after }, undefined, undefined, NEW);
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('after')]);
    expect((await ask({}, manager.peerUrl, undefined, NEW)).status).toBe(404);
  });

  it('gives a node payloads before it looks them up', async () => {
    const paths: unknown[] = [];
    const counter = {
      ...silentMetrics.counter('', ''),
      increment: (labels: unknown) => void paths.push(labels),
    };
    const metrics = { ...silentMetrics, counter: () => counter };
    const client = new ManagerClient({ url: manager.clientUrl, timeoutMs: 60_000, metrics });
    const read = async (hash: string) => {
      const found = await client.findRaw(Buffer.from(hash, 'base64'));
      return found.kind === 'found' ? Buffer.from(found.value.plaintext).toString() : found.kind;
    };
    const looked = await put('looked up');
    // Until the first question has its answer, payloads are not handed over.
    await until(async () => {
      const hash = await put('handed over');
      await new Promise((turn) => setTimeout(turn, 50));
      paths.length = 0;
      return (await read(hash)) === 'handed over' && paths.length === 0;
    });
    expect(await read(looked)).toBe('looked up');
    expect(paths).toHaveLength(1);
    await client.close();
  });
});
