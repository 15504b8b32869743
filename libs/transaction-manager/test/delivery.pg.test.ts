import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import type { PtmKey } from '@tetrad/types';
import { generateKeyPair } from '../src/keys/key-pair.js';
import { encodePartyInfo } from '../src/party/party-info.js';
import { decodeCborPayload } from '../src/payload/cbor-payload.js';
import { hexBytes, recorded, recordedPair } from './recorded.js';
import { startManager, type RunningManager } from './running-managers.js';

const V4 = 'application/vnd.tessera-4.0+json';
const [A1, B1, C1] = ['a1', 'b1', 'c1'].map((name) => recordedPair(name).publicKey) as [
  PtmKey,
  PtmKey,
  PtmKey,
];
const PAYLOAD = Buffer.from('a secret of two parties').toString('base64');
const MAX_BODY = 100_000;

let first: RunningManager;
let second: RunningManager;
let silent: Server;
let silentUrl: string;
/** Bodies that were pushed to a peer that refuses them, or says something else about them. */
const refused: Buffer[] = [];
let answer = { status: 403, text: 'no' };

beforeAll(async () => {
  first = await startManager(['a1'], { maxBodyBytes: MAX_BODY });
  second = await startManager(['b1'], { peers: [first.peerUrl] });
  silent = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/push') refused.push(Buffer.concat(chunks));
      response.writeHead(answer.status).end(answer.text);
    });
  });
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  await until(async () => (await keysOf(first)).includes(B1) && (await keysOf(second)).includes(A1));
});
afterAll(async () => {
  silent.close();
  silent.closeAllConnections();
  await second.end();
  await first.end();
});

async function keysOf({ thirdPartyUrl }: RunningManager): Promise<string[]> {
  const { keys } = (await (await fetch(`${thirdPartyUrl}partyinfo/keys`)).json()) as {
    keys: { key: string }[];
  };
  return keys.map(({ key }) => key);
}

function send(members: object, { clientUrl }: RunningManager = first): Promise<Response> {
  const headers = { 'content-type': V4 };
  return fetch(`${clientUrl}send`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ payload: PAYLOAD, ...members }),
  });
}

async function storedIn({ database }: RunningManager): Promise<number> {
  return (await database.pool.query<{ count: number }>('SELECT count(*) FROM payload')).rows[0]?.count ?? 0;
}

function announce(url: string, keys: readonly PtmKey[], versions = 'v1'): Promise<Response> {
  const body = encodePartyInfo({ url, keys: keys.map((key) => ({ key, url })), parties: [] });
  const headers = { 'content-type': 'application/octet-stream', tesseraSupportedApiVersions: versions };
  return fetch(`${first.peerUrl}partyinfo`, { method: 'POST', headers, body: Uint8Array.from(body) });
}

describe('a payload', () => {
  it('is read by sender and recipient, with mandatory recipients', async () => {
    const answer = await send({ to: [B1], privacyFlag: 2, mandatoryRecipients: [B1] });
    const { key, managedParties } = (await answer.json()) as { key: string; managedParties: string[] };
    expect([answer.status, managedParties]).toEqual([201, [A1]]);
    for (const { clientUrl } of [first, second]) {
      const path = `${clientUrl}transaction/${encodeURIComponent(key)}`;
      expect(await (await fetch(path)).json()).toMatchObject({ payload: PAYLOAD, privacyFlag: 2 });
      expect(await (await fetch(`${path}/mandatory`)).text()).toBe(B1);
    }
  });

  it.each([
    [{ privacyFlag: 2 }, 500, /missing/],
    [{ privacyFlag: 1, mandatoryRecipients: [B1] }, 500, /^Mandatory recipients data only applicable/],
    [{ privacyFlag: 2, mandatoryRecipients: [C1] }, 403, /^One or more mandatory recipients not included/],
  ])('with %j is refused', async (members, status, text) => {
    const before = await storedIn(first);
    const answer = await send({ to: [B1], ...members });
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringMatching(text)]);
    expect(await storedIn(first)).toBe(before);
  });

  it('of many that are sent together is stored at both ends, one by one or in groups', async () => {
    const payloads = Array.from({ length: 100 }, (_, index) =>
      Buffer.from(`secret ${index}`).toString('base64'),
    );
    const answers = await Promise.all(payloads.map((payload) => send({ to: [B1], payload })));
    expect(answers.map(({ status }) => status)).toEqual(payloads.map(() => 201));
    const keys = await Promise.all(
      answers.map(async (answer) => ((await answer.json()) as { key: string }).key),
    );
    for (const { clientUrl } of [first, second]) {
      const read = keys.map(async (key) => {
        const answer = await fetch(`${clientUrl}transaction/${encodeURIComponent(key)}`);
        return ((await answer.json()) as { payload: string }).payload;
      });
      expect(await Promise.all(read)).toEqual(payloads);
    }
  });

  it('is not stored in plaintext anywhere', async () => {
    await send({ to: [B1] });
    for (const { database } of [first, second]) {
      const { rowCount } = await database.pool.query(
        "SELECT FROM payload WHERE position('secret'::bytea IN encoded) > 0",
      );
      expect(rowCount).toBe(0);
    }
  });
});

describe('a recipient that lost the creation of a contract', () => {
  it.each([1, 3])(
    'is named, where the sender knows that it is a party, with flag %i',
    async (privacyFlag) => {
      const flagged = { to: [B1], privacyFlag, ...(privacyFlag === 3 ? { execHash: 'root' } : {}) };
      const { key } = (await (await send(flagged)).json()) as { key: string };
      const call = { ...flagged, affectedContractTransactions: [key] };
      expect((await send(call)).status).toBe(201);
      await second.manager.delete(Buffer.from(key, 'base64'));
      const before = await storedIn(first);
      const refused = await send(call);
      const text = `Recipient ${B1} lacks the affected contract transaction ${key}`;
      expect([refused.status, await refused.text()]).toEqual([403, text]);
      expect(await storedIn(first)).toBe(before);
      // A recipient that is not a party to the contract is ordinary.
      if (privacyFlag === 3) return;
      const own = (await (await send({ ...flagged, to: [] })).json()) as { key: string };
      const affectedContractTransactions = [own.key];
      expect((await send({ ...flagged, affectedContractTransactions })).status).toBe(201);
    },
  );
});

describe('a recipient that fails', () => {
  it('is named, each of several, before anything is pushed', async () => {
    const [before, others] = [
      await storedIn(second),
      [generateKeyPair().publicKey, generateKeyPair().publicKey],
    ];
    const answer = await send({ to: [B1, ...others] });
    const lines = others.map((key) => `Recipient not found for key: ${key}`);
    expect([answer.status, await answer.text()]).toEqual([404, lines.join('\n')]);
    expect(await storedIn(second)).toBe(before);
  });

  it('that cannot be reached is 410 with the reason phrase, then not known; nothing is stored here', async () => {
    const [down, before] = [await startManager(['c1'], { peers: [first.peerUrl] }), await storedIn(first)];
    await until(async () => (await keysOf(first)).includes(C1));
    await down.end();
    const gone = await send({ to: [C1] });
    expect([gone.status, gone.statusText]).toEqual([
      410,
      `Connection error while communicating with ${down.peerUrl}`,
    ]);
    const unknown = await send({ to: [C1] });
    expect([unknown.status, await unknown.text()]).toEqual([404, `Recipient not found for key: ${C1}`]);
    expect(await storedIn(first)).toBe(before);
  });
});

describe('a stranger who passes the proof of a key on to its owner', () => {
  let relay: Server;
  let relayUrl: string;
  const relayed = { proofs: 0, pushes: 0 };
  beforeAll(async () => {
    relay = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (request.url?.startsWith('/push') === true) relayed.pushes += 1;
        if (request.url !== '/partyinfo/validate') return void response.end();
        relayed.proofs += 1;
        const body = Uint8Array.from(Buffer.concat(chunks));
        const headers = { 'content-type': 'application/octet-stream' };
        void fetch(`${second.peerUrl}partyinfo/validate`, { method: 'POST', headers, body })
          .then(async (answer) => response.writeHead(answer.status).end(await answer.text()))
          .catch(() => response.destroy());
      });
    });
    await new Promise<void>((done) => relay.listen(0, '127.0.0.1', done));
    relayUrl = `http://127.0.0.1:${(relay.address() as AddressInfo).port}/`;
  });
  afterAll(() => {
    relay.close();
    relay.closeAllConnections();
  });

  it('gets no payload of it, and the operator is warned of the claim', async () => {
    const refused = await announce(relayUrl, [B1], '4.0,5.0');
    expect([refused.status, relayed.proofs]).toEqual([500, 1]);
    expect(first.parties.find(B1)?.url).toBe(second.peerUrl);
    expect(first.conflicts.warning).toBe(`${B1} of ${second.peerUrl} is claimed by ${relayUrl}`);
    const { key } = (await (await send({ to: [B1] })).json()) as { key: string };
    const found = await fetch(`${second.clientUrl}transaction/${encodeURIComponent(key)}`);
    expect([found.status, relayed.pushes]).toEqual([200, 0]);
  });

  it('gets none after a restart either, although he comes first', async () => {
    const { database } = first;
    const again = await startManager(['a1'], { database, partyIntervalMs: 60_000 });
    try {
      const body = encodePartyInfo({ url: relayUrl, keys: [{ key: B1, url: relayUrl }], parties: [] });
      const headers = { 'content-type': 'application/octet-stream' };
      const at = `${again.peerUrl}partyinfo`;
      const announced = await fetch(at, { method: 'POST', headers, body: Uint8Array.from(body) });
      expect([announced.status, again.parties.find(B1)]).toEqual([500, undefined]);
    } finally {
      await again.end();
    }
  });
});

describe('keys that a manager announces', () => {
  it('at an address that is not its own are not asked for there', async () => {
    const { publicKey } = generateKeyPair();
    const answer = await announce('http://192.0.2.1/', [publicKey]);
    expect([answer.status, await answer.text()]).toEqual([
      403,
      expect.stringContaining('--peer-any-address'),
    ]);
    expect(first.parties.urlsOfParties).not.toContain('http://192.0.2.1/');
  });

  it('are not believed of one that does not hold them', async () => {
    expect((await announce(silentUrl, [generateKeyPair().publicKey])).status).toBe(500);
    expect((await announce(silentUrl, [B1])).status).toBe(500);
    expect((await keysOf(first)).sort()).toEqual([A1, B1].sort());
    expect((await send({ to: [B1] })).status).toBe(201);
  });

  it.each([
    ['and its rejection is reported', 403, 'no'],
    ['and an answer that names another hash is a rejection', 201, Buffer.alloc(64, 1).toString('base64')],
    ['and so is that of something else that answers everything', 200, '<html>welcome</html>'],
  ])('are pushed to in CBOR where it speaks 5.0, %s', async (_, status, said) => {
    answer = { status, text: said };
    const believing = await startManager(['c1'], { proveKeys: false });
    try {
      const { publicKey } = generateKeyPair();
      const body = encodePartyInfo({
        url: silentUrl,
        keys: [{ key: publicKey, url: silentUrl }],
        parties: [],
      });
      const headers = { 'content-type': 'application/octet-stream', tesseraSupportedApiVersions: '4.0,5.0' };
      await fetch(`${believing.peerUrl}partyinfo`, { method: 'POST', headers, body: Uint8Array.from(body) });
      const sent = await send({ to: [publicKey] }, believing);
      const text = `Unable to push payload to recipient url ${silentUrl}`;
      expect([sent.status, await sent.text()]).toEqual([500, text]);
      expect(decodeCborPayload(refused.at(-1) ?? Buffer.alloc(0)).recipientKeys).toEqual([publicKey]);
      expect(await storedIn(believing)).toBe(0);
    } finally {
      answer = { status: 403, text: 'no' };
      await believing.end();
    }
  });

  it('are not dropped, nor taken for those of an older manager, by a stranger who says he is there', async () => {
    const known = first.parties.find(B1);
    expect(known?.versions).toContain('5.0');
    const { publicKey } = generateKeyPair();
    for (const keys of [[], [B1]]) expect((await announce(second.peerUrl, keys, 'v1')).status).toBe(200);
    // Of two keys one is shown to be there, so that the manager is listened to.
    expect((await announce(second.peerUrl, [B1, publicKey], 'v1')).status).toBe(200);
    const after = first.parties.find(B1);
    expect(after?.url).toBe(known?.url);
    expect(after?.versions).toContain('5.0');
    expect(first.parties.find(publicKey)).toBeUndefined();
    expect((await send({ to: [B1], privacyFlag: 2, mandatoryRecipients: [B1] })).status).toBe(201);
  });

  it('too many of one manager, or with an invalid URL, are refused', async () => {
    const many = Array.from({ length: 101 }, () => generateKeyPair().publicKey);
    expect((await announce(silentUrl, many)).status).toBe(400);
    for (const url of ['file:///etc/passwd', 'http://user:password@127.0.0.1/', 'x'.repeat(1_000)])
      expect((await announce(url, [])).status).toBe(400);
  });
});

describe('what a stranger sends', () => {
  const post = (path: string, body: string | Uint8Array<ArrayBuffer>, type: string) =>
    fetch(first.clientUrl + path, { method: 'POST', headers: { 'content-type': type }, body });

  it('that is longer than the limit is 413, with and without Content-Length', async () => {
    // A request that would be good were it shorter; a client that still writes may see the connection end instead.
    const long = Buffer.from(JSON.stringify({ payload: PAYLOAD, to: [B1] }).padEnd(MAX_BODY + 1));
    const before = await storedIn(first);
    const sized = await post('send', Uint8Array.from(long), V4).catch(() => undefined);
    expect(sized?.status ?? 413).toBe(413);
    const stream = new ReadableStream({ start: (to) => (to.enqueue(long), to.close()) });
    const init = { method: 'POST', headers: { 'content-type': V4 }, body: stream, duplex: 'half' };
    const streamed = await fetch(`${first.clientUrl}send`, init as RequestInit).catch(() => undefined);
    expect(streamed?.status ?? 413).toBe(413);
    expect(await (await fetch(`${first.clientUrl}upcheck`)).text()).toBe("I'm up!");
    expect(await storedIn(first)).toBe(before);
  });

  it.each([
    ['100 kB of brackets', '['.repeat(99_000)],
    ['another type', '{"payload":5}'],
    ['text instead of a list', `{"payload":"${PAYLOAD}","to":"x"}`],
    ['more recipients than the limit', JSON.stringify({ payload: PAYLOAD, to: Array(1_001).fill('AAAA') })],
  ])('is 400: %s', async (_, body) => {
    expect((await post('send', body, V4)).status).toBe(400);
  });

  it('for keys that are not here is taken and not kept', async () => {
    const before = await storedIn(second);
    // Recorded for the third manager.
    const push = recorded.pushes.find(({ to }) => to === 9103);
    const body = Uint8Array.from(hexBytes(push?.body ?? ''));
    const headers = { 'content-type': 'application/octet-stream' };
    const answer = await fetch(`${second.peerUrl}push`, { method: 'POST', headers, body });
    const hash = await answer.text();
    expect(answer.status).toBe(201);
    expect((await fetch(`${second.clientUrl}transaction/${encodeURIComponent(hash)}`)).status).toBe(404);
    expect(await storedIn(second)).toBe(before);
  });
});
