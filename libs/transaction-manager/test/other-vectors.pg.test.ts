import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { keyPairFromPrivate } from '../src/keys/key-pair.js';
import { decodePartyInfo, encodePartyInfo } from '../src/party/party-info.js';
import { hexBytes, recorded, recordedPair, type RecordedExchange } from './recorded.js';
import { startManager, type RunningManager } from './running-managers.js';

const BYTES = { 'content-type': 'application/octet-stream' };

/** Bytes of a recorded request. */
function bytesOf({ body, bodyHex }: RecordedExchange['request']): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(typeof bodyHex === 'string' ? hexBytes(bodyHex) : Buffer.from(body ?? '', 'latin1'));
}

/** Recorded party information, with our URLs instead of those of the recording. */
function moved(bytes: Uint8Array, urls: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  const { url, keys, parties } = decodePartyInfo(bytes);
  const at = (theirs: string) => urls[theirs.replace(/\/$/, '')] ?? theirs;
  const info = { url: at(url), keys: keys.map((entry) => ({ ...entry, url: at(entry.url) })) };
  return Uint8Array.from(encodePartyInfo({ ...info, parties: parties.map(at) }));
}

async function answerOf(response: Response): Promise<{ status: number; body: Buffer }> {
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
}

function announce(
  manager: RunningManager,
  exchange: RecordedExchange,
  urls: Readonly<Record<string, string>>,
) {
  const { headers } = exchange.request;
  const body = moved(bytesOf(exchange.request), urls);
  return fetch(`${manager.peerUrl}partyinfo`, { method: 'POST', headers, body }).then(answerOf);
}

function ask(manager: RunningManager, { request }: RecordedExchange) {
  const url = manager.clientUrl.slice(0, -1) + request.path;
  return fetch(url, {
    method: request.method,
    headers: request.headers,
    ...(request.method === 'GET' ? {} : { body: request.body ?? '' }),
  }).then(answerOf);
}

async function keysOf({ thirdPartyUrl }: RunningManager): Promise<string[]> {
  const answer = await fetch(`${thirdPartyUrl}partyinfo/keys`);
  return ((await answer.json()) as { keys: { key: string }[] }).keys.map(({ key }) => key);
}

/** A manager that takes its time to resend. */
async function slowManager() {
  let asked = false;
  let release: () => void = () => undefined;
  const released = new Promise<void>((done) => (release = done));
  const server = createServer((request, response) => {
    if (request.url !== '/resendBatch') return void response.end();
    asked = true;
    void released.then(() => response.end('{"total":0}'));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((done) => server.close(() => done()));
  };
  return { url, asked: () => asked, release, close };
}

describe('a manager that has keys proved', () => {
  const named = (name: string) => recorded.remoteKeyValidation.find((one) => one.name === name)!;
  let first: RunningManager;
  let second: RunningManager;
  beforeAll(async () => {
    [first, second] = await Promise.all([startManager(['a1', 'a2']), startManager(['b1', 'b2'])]);
  });
  afterAll(() => Promise.all([first.end(), second.end()]));

  it('refuses a manager that proves none of its keys', async () => {
    const exchange = named('RKV partyinfo bogus key');
    const { status } = await announce(second, exchange, { 'http://127.0.0.1:9199': 'http://127.0.0.1:1/' });
    expect(status).toBe(exchange.response.status);
    expect(await keysOf(second)).toHaveLength(2);
  });

  it('keeps the keys that a manager proves, and no others', async () => {
    const exchange = named('RKV partyinfo real');
    const answer = await announce(second, exchange, { 'http://127.0.0.1:9101': first.peerUrl });
    expect(answer).toEqual({
      status: exchange.response.status,
      body: Buffer.from(exchange.response.body ?? ''),
    });
    expect(await keysOf(second)).toContain(recordedPair('a1').publicKey);
    const unproved = named('send unreachable key');
    const { status, body } = await ask(second, unproved);
    expect([status, body.toString()]).toEqual([unproved.response.status, unproved.response.body]);
  });

  it.each(['send to stopped node1', 'send to stopped node1 json'])('%s', async (name) => {
    await first.stop();
    // In the recording the manager had found out before that the other one is gone.
    await ask(second, named(name));
    const { status, body } = await ask(second, named(name));
    expect([status, body.toString()]).toEqual([named(name).response.status, named(name).response.body]);
  });
});

describe('announcements of a manager about itself and others', () => {
  const at = recorded.forgedPushes.findIndex(({ name }) => name === 'partyinfo post');
  const [post, keys, sendEnhanced, keysAfter, sendToTold, bigHash] = recorded.forgedPushes.slice(at) as [
    RecordedExchange,
    RecordedExchange,
    RecordedExchange,
    RecordedExchange,
    RecordedExchange,
    RecordedExchange,
  ];
  let manager: RunningManager;
  let other: RunningManager;
  let silent: Server;
  beforeAll(async () => {
    other = await startManager(['a1', 'a2'], { proveKeys: false });
    const third = { proveKeys: false, peers: [other.peerUrl], partyIntervalMs: 60_000 };
    manager = await startManager(['b1', 'b2'], third);
    silent = createServer((_, response) => response.end());
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    await until(async () => (await keysOf(manager)).length === 4);
    // Until its peers have answered it says of no payload that there is none.
    await until(() => manager.completeness.doubt === undefined);
  });
  afterAll(async () => {
    silent.close();
    await Promise.all([manager.end(), other.end()]);
  });

  it('its own keys count, those it says are elsewhere do not; versions too', async () => {
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const urls = { 'http://127.0.0.1:9199': url, 'http://127.0.0.1:9102': manager.peerUrl };
    const { status, body } = await announce(manager, post, urls);
    expect(status).toBe(post.response.status);
    const expected = moved(Buffer.from(post.response.body ?? '', 'latin1'), urls);
    expect(body).toEqual(Buffer.from(expected));
    const known = (JSON.parse(keys.response.body ?? '') as { keys: { key: string }[] }).keys;
    // The key of a third manager was known in the recording.
    const third = recordedPair('c1').publicKey;
    expect((await keysOf(manager)).sort()).toEqual(
      known
        .map(({ key }) => key)
        .filter((key) => key !== third)
        .sort(),
    );
    const enhanced = await ask(manager, sendEnhanced);
    expect([enhanced.status, enhanced.body.toString()]).toEqual([
      sendEnhanced.response.status,
      sendEnhanced.response.body,
    ]);
  });

  it('it is forgotten once it cannot be reached', async () => {
    await new Promise<void>((done) => silent.close(() => done()));
    const { request } = sendEnhanced;
    const body = JSON.stringify({ ...(JSON.parse(request.body ?? '') as object), privacyFlag: 0 });
    await ask(manager, { ...sendEnhanced, request: { ...request, body } });
    const known = (JSON.parse(keysAfter.response.body ?? '') as { keys: { key: string }[] }).keys;
    const third = recordedPair('c1').publicKey;
    expect((await keysOf(manager)).sort()).toEqual(
      known
        .map(({ key }) => key)
        .filter((key) => key !== third)
        .sort(),
    );
    for (const exchange of [sendToTold, bigHash]) {
      const answer = await ask(manager, exchange);
      expect([answer.status, answer.body.toString()]).toEqual([
        exchange.response.status,
        exchange.response.body,
      ]);
    }
  });
});

describe('pushes of another implementation', () => {
  it.each(recorded.factSheetVectorsOnRealPeer)('$name', async ({ request, response }) => {
    const pair = keyPairFromPrivate(Buffer.from('yAWAJjwPqUtNVlqGjSrBmr1/iIkghuOh1803Yzx9jLM=', 'base64'));
    const manager = await startManager([], { keys: [pair] });
    try {
      const answer = await fetch(`${manager.peerUrl}push`, {
        method: 'POST',
        headers: BYTES,
        body: bytesOf(request),
      }).then(answerOf);
      expect([answer.status, answer.body.toString()]).toEqual([response.status, response.body]);
    } finally {
      await manager.end();
    }
  });
});

describe('what managers said to each other', () => {
  const entries = Object.entries(recorded.otherP2P);
  let first: RunningManager;
  let second: RunningManager;
  let slow: Awaited<ReturnType<typeof slowManager>>;
  beforeAll(async () => {
    first = await startManager(['a1', 'a2'], { proveKeys: false, partyIntervalMs: 60_000 });
    slow = await slowManager();
    second = await startManager(['b1', 'b2'], {
      peers: [slow.url, first.peerUrl],
      partyIntervalMs: 60_000,
      // It asks for what the tests ask for alone, and no manager that recorded announcements list.
      checksLoss: false,
      discover: false,
    });
    await until(async () => (await keysOf(first)).length === 4);
  });
  afterAll(() => Promise.all([first.end(), second.end(), slow.close()]));

  function urls(): Readonly<Record<string, string>> {
    return { 'http://127.0.0.1:9101': first.peerUrl, 'http://127.0.0.1:9102': second.peerUrl };
  }

  /** A recorded request to the manager that it was for. */
  function say(name: string) {
    const { port, requestHead, requestHex } = recorded.otherP2P[name]!;
    const [line = '', ...fields] = requestHead;
    const [method = '', path = ''] = line.split(' ');
    const wanted = fields.map((field) => field.split(': ') as [string, string]);
    const headers = Object.fromEntries(
      wanted.filter(([field]) => /^(content-type|tesserasupportedapiversions|accept)$/i.test(field)),
    );
    const bytes = hexBytes(requestHex);
    const body = path === '/partyinfo' && bytes.length > 0 ? moved(bytes, urls()) : Uint8Array.from(bytes);
    const manager = port === 9101 ? first : second;
    const sent = method === 'GET' ? {} : { body };
    return fetch(manager.peerUrl.slice(0, -1) + path, { method, headers, ...sent }).then(answerOf);
  }

  /** Announcements to managers of both kinds; keys are proved where the answer is empty. */
  const infos = entries.filter(([name]) => name.startsWith('/partyinfo 200 keys'));
  it.each(infos.map(([name]) => name))('%s', async (name) => {
    const entry = recorded.otherP2P[name]!;
    const { status, body } = await say(name);
    expect(status).toBe(200);
    const answer = hexBytes(entry.responseHex);
    const proved = entry.port === 9102;
    if (answer.length === 0 || proved) expect(body.length === 0).toBe(proved);
    else expect(body).toEqual(Buffer.from(moved(answer, urls())));
  });

  it.each([
    ['/resend 404', 404],
    ['/pushBatch 404', 404],
    ['/pushPrivacyGroup 200', 200],
    ['/partyinfo/validate 200', 200],
    ['/partyinfo/validate 404', 404],
  ])('%s', async (name, expected) => {
    const { status, body } = await say(name);
    expect(status).toBe(expected);
    if (name !== '/pushBatch 404') expect(body.toString('hex')).toBe(recorded.otherP2P[name]?.responseHex);
  });

  it('/resendBatch 500, and 200 in a recovery', async () => {
    const headers = { 'content-type': 'application/vnd.tessera-2.1+json' };
    for (let count = 0; count < 3; count += 1) {
      const body = JSON.stringify({ payload: 'YGBgQFI=', to: [recordedPair('b2').publicKey] });
      expect((await fetch(`${first.clientUrl}send`, { method: 'POST', headers, body })).status).toBe(201);
    }
    const refused = await say('/resendBatch 500');
    const text = Buffer.from(recorded.otherP2P['/resendBatch 500']?.responseHex ?? '', 'hex').toString();
    expect([refused.status, refused.body.toString()]).toEqual([
      500,
      text.replace('http://127.0.0.1:9102/', second.peerUrl),
    ]);
    // The recovery waits for another manager first.
    const recovered = second.recovery.run();
    await until(async () => slow.asked());
    const { status, body } = await say('/resendBatch 200');
    expect([status, body.toString('hex')]).toEqual([200, recorded.otherP2P['/resendBatch 200']?.responseHex]);
    slow.release();
    // The first manager began empty and has not heard its peers, and says so.
    const unchecked = [first.peerUrl];
    expect(await recovered).toMatchObject({ result: 0, failed: [], incomplete: [], unchecked });
  });

  it('/version/api and GET /partyinfo have the members that were recorded', async () => {
    const versions = JSON.parse(hexText('/version/api 200')) as string[];
    const ours = JSON.parse((await say('/version/api 200')).body.toString()) as string[];
    expect(ours).toEqual(expect.arrayContaining(versions));
    const info = JSON.parse(hexText('/partyinfo 200')) as object;
    expect(Object.keys(JSON.parse((await say('/partyinfo 200')).body.toString()) as object)).toEqual(
      Object.keys(info),
    );
  });

  function hexText(name: string): string {
    return Buffer.from(recorded.otherP2P[name]?.responseHex ?? '', 'hex').toString();
  }
});
