import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { encodeBinaryPayload } from '../src/payload/binary-payload.js';
import { encodeCborPayload } from '../src/payload/cbor-payload.js';
import { PrivacyFlag, type EncodedPayload } from '../src/payload/encoded-payload.js';
import { FieldWriter } from '../src/payload/field-writer.js';
import { copyForRecipient } from '../src/payload/recipient-copy.js';
import { recordedPair } from './recorded.js';
import { startManager, type RunningManager } from './running-managers.js';

const V2_1 = 'application/vnd.tessera-2.1+json';
const HELD = 1_048_576;
const B1 = recordedPair('b1').publicKey;

let manager: RunningManager;
let sender: RunningManager;
beforeAll(async () => {
  manager = await startManager(['b1', 'b2'], { maxBodyBytes: 600_000, maxHeldBytes: HELD });
  sender = await startManager(['a1'], { peers: [manager.peerUrl] });
  await until(async () => sender.parties.find(B1) !== undefined);
});
afterAll(async () => {
  await sender.end();
  await manager.end();
});

async function countIn({ database }: RunningManager): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>('SELECT count(*) FROM payload');
  return rows[0]?.count ?? 0;
}

function push(body: Uint8Array, versions = '4.0'): Promise<Response> {
  const headers = { 'content-type': 'application/octet-stream', tesseraSupportedApiVersions: versions };
  return fetch(`${manager.peerUrl}push`, { method: 'POST', headers, body: Uint8Array.from(body) });
}

function makePayload(text: string, privacyFlag = PrivacyFlag.Standard): Promise<EncodedPayload> {
  const metadata = { mandatoryRecipients: [], privacyGroupId: undefined, affected: [], from: undefined };
  const execHash = privacyFlag === PrivacyFlag.StateValidation ? Buffer.from('root') : new Uint8Array();
  const request = { payload: Buffer.from(text), to: [B1], privacyFlag, execHash, ...metadata };
  return sender.manager.encrypt(request);
}

describe('memory', () => {
  /** A request of so many bytes of which the last is not sent. */
  function begin(bytes: number, url = `${manager.clientUrl}send`, type = V2_1) {
    const sent = request(url, { method: 'POST', headers: { 'content-type': type, 'content-length': bytes } });
    const status = new Promise<number>((done) => {
      sent.once('response', (response) => {
        response.resume();
        done(response.statusCode ?? 0);
      });
      sent.once('error', () => done(0));
    });
    sent.write(Buffer.alloc(bytes - 1, 0x20));
    return { status, end: () => sent.destroy() };
  }

  it('that requests of all ports hold together is bounded; what is let go of is free again', async () => {
    const held = [begin(500_000), begin(500_000)];
    const path = `${manager.peerUrl}push`;
    const body = Buffer.alloc(200_000);
    const headers = { 'content-type': 'application/octet-stream' };
    const refused = () =>
      fetch(path, { method: 'POST', headers, body })
        .then(({ status }) => status)
        // A client that still writes may see the connection end instead.
        .catch(() => 503);
    await until(async () => (await refused()) === 503);
    expect((await fetch(`${manager.clientUrl}upcheck`)).status).toBe(200);
    for (const one of held) one.end();
    await Promise.all(held.map(({ status }) => status));
    await until(async () => (await refused()) === 500);
  });

  it('that requests of peers hold leaves room for those of the node', async () => {
    const other = await startManager(['c1'], { maxBodyBytes: 100_000, maxHeldBytes: HELD });
    const path = `${other.peerUrl}push`;
    const held = Array.from({ length: 11 }, () => begin(90_000, path, 'application/octet-stream'));
    // One of the eleven does not fit, whatever their order.
    expect(await Promise.race(held.map(({ status }) => status))).toBe(503);
    const headers = { 'content-type': V2_1 };
    const body = JSON.stringify({ payload: Buffer.alloc(60_000).toString('base64') });
    const answer = await fetch(`${other.clientUrl}send`, { method: 'POST', headers, body });
    expect(answer.status).toBe(201);
    for (const one of held) one.end();
    await Promise.all(held.map(({ status }) => status));
    await other.end();
  });

  it('that answers hold counts as well', async () => {
    const { hash } = await sender.manager.send({
      payload: Buffer.alloc(400_000),
      to: [B1],
      from: undefined,
      privacyFlag: 0,
      affected: [],
      execHash: new Uint8Array(),
      mandatoryRecipients: [],
      privacyGroupId: undefined,
    });
    const path = `${manager.clientUrl}transaction/${encodeURIComponent(Buffer.from(hash).toString('base64'))}`;
    const answers = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const answer = await fetch(path);
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
    expect(answers).toContain(200);
    expect(answers.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    await until(async () => (await fetch(path)).status === 200);
  });
});

describe('100 kB of a stranger', () => {
  /** Sender, ciphertext and nonce, and then as many boxes as no message has. */
  const head = new FieldWriter().field(Buffer.alloc(32)).field(Buffer.alloc(20)).field(Buffer.alloc(24));
  const count = Buffer.from('0000010000000000', 'hex');

  it.each([
    ['/push', Buffer.alloc(100_000)],
    ['/push', Buffer.alloc(100_000, 0xff)],
    ['/push', Buffer.alloc(100_000, 0x9f)],
    ['/push', Buffer.alloc(100_000, 0x81)],
    ['/push', Buffer.concat([head.bytes(), count, Buffer.alloc(99_000)])],
    ['/partyinfo', Buffer.alloc(100_000)],
    ['/partyinfo/validate', Buffer.alloc(100_000, 0x01)],
    ['/pushPrivacyGroup', Buffer.alloc(100_000, 0xff)],
  ])('on %s is refused and leaves nothing', async (path, body) => {
    const before = await countIn(manager);
    for (const versions of ['4.0', '5.0']) {
      const headers = { 'content-type': 'application/octet-stream', tesseraSupportedApiVersions: versions };
      const url = manager.peerUrl.slice(0, -1) + path;
      const answer = await fetch(url, { method: 'POST', headers, body: Uint8Array.from(body) });
      expect([400, 500]).toContain(answer.status);
    }
    expect(await countIn(manager)).toBe(before);
  });

  it.each(['/resend', '/resendBatch', '/pushBatch'])('of JSON on %s is refused', async (path) => {
    const bodies = ['['.repeat(100_000), `{"type":"ALL","publicKey":"${'A'.repeat(99_000)}"}`];
    for (const body of [...bodies, `{${'"a":1,'.repeat(16_000)}"a":1}`]) {
      const headers = { 'content-type': 'application/json' };
      const url = manager.peerUrl.slice(0, -1) + path;
      const answer = await fetch(url, { method: 'POST', headers, body });
      expect([400, 404, 500]).toContain(answer.status);
    }
  });

  it('with as many unknown affected contracts as fit costs one look each, and is dropped', async () => {
    const payload = await makePayload('many', PrivacyFlag.PartyProtection);
    const affected = Array.from({ length: 700 }, (_, index) => ({
      hash: Buffer.alloc(64, index & 0xff),
      securityHash: Buffer.alloc(64),
    }));
    const answer = await push(encodeBinaryPayload({ ...copyForRecipient(payload, B1), affected }));
    expect(answer.status).toBe(201);
    const hash = Buffer.from(await answer.text(), 'base64');
    expect((await manager.manager.receive(hash)).affected).toEqual([]);
  });
});

describe('a push that was spoiled on its way', () => {
  it.each(['binary', 'CBOR'])('is not kept, wherever a bit is changed: %s', async (encoding) => {
    const copy = copyForRecipient(await makePayload(`spoiled ${encoding}`), B1);
    const encode = encoding === 'CBOR' ? encodeCborPayload : encodeBinaryPayload;
    const versions = encoding === 'CBOR' ? '5.0' : '4.0';
    const before = await countIn(manager);
    const spoiled: Partial<EncodedPayload>[] = [
      { cipherText: flip(copy.cipherText) },
      { cipherTextNonce: flip(copy.cipherTextNonce) },
      { recipientNonce: flip(copy.recipientNonce) },
      { recipientBoxes: copy.recipientBoxes.map(flip) },
      { recipientKeys: [recordedPair('c1').publicKey] },
      { sender: recordedPair('c1').publicKey },
    ];
    for (const change of spoiled) {
      const answer = await push(encode({ ...copy, ...change }), versions);
      const hash = Buffer.from(await answer.text(), 'base64');
      await expect(manager.manager.receive(hash)).rejects.toMatchObject({ kind: 'not-found' });
    }
    expect(await countIn(manager)).toBe(before);
    expect((await push(encode(copy), versions)).status).toBe(201);
    expect(await countIn(manager)).toBe(before + 1);
  });

  it('that comes again with another flag does not replace what is stored', async () => {
    const copy = copyForRecipient(await makePayload('replaced'), B1);
    await push(encodeBinaryPayload(copy));
    const other = await push(encodeBinaryPayload({ ...copy, privacyFlag: PrivacyFlag.PartyProtection }));
    expect([other.status, await other.text()]).toEqual([500, 'Invalid existing transaction']);
    const stored = await manager.manager.receive(await manager.manager.push(copy));
    expect(stored.privacyFlag).toBe(PrivacyFlag.Standard);
  });
});

function flip(bytes: Uint8Array): Uint8Array {
  const flipped = Buffer.from(bytes);
  flipped[flipped.length - 1]! ^= 1;
  return flipped;
}
