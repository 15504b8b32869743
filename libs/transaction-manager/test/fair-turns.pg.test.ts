import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FairTurns } from '@tetrad/rpc';
import { until } from '@tetrad/testkit';
import { generateKeyPair } from '../src/keys/key-pair.js';
import { encodeBinaryPayload } from '../src/payload/binary-payload.js';
import { PrivacyFlag, type EncodedPayload } from '../src/payload/encoded-payload.js';
import { joinPushes } from '../src/payload/push-group.js';
import { copyForRecipient } from '../src/payload/recipient-copy.js';
import { recordedPair } from './recorded.js';
import { startManager, type RunningManager } from './running-managers.js';

/** Pieces of work that begin in one turn of the event loop. */
const BEGUN_A_TURN = 32;
const BYTES = 'application/octet-stream';
const V2_1 = 'application/vnd.tessera-2.1+json';
const [B1, B2] = [recordedPair('b1').publicKey, recordedPair('b2').publicKey];

const many = <T>(count: number, one: (index: number) => T) =>
  Array.from({ length: count }, (_, at) => one(at));

/** Turns that work waited for, of an event loop whose clock stands still. */
let turns = 0;
const nextTurn = (resume: () => void) =>
  void setImmediate(() => {
    turns += 1;
    resume();
  });

let manager: RunningManager;
let sender: RunningManager;
beforeAll(async () => {
  manager = await startManager(['b1', 'b2'], { turns: new FairTurns({ now: () => 0, nextTurn }) });
  sender = await startManager(['a1'], { peers: [manager.peerUrl] });
  await until(async () => sender.parties.find(B1) !== undefined);
});
afterAll(async () => {
  await sender.end();
  await manager.end();
});

function encrypt(bytes: Uint8Array, to = [B1]): Promise<EncodedPayload> {
  const metadata = { mandatoryRecipients: [], privacyGroupId: undefined, affected: [], from: undefined };
  const request = { payload: bytes, to, execHash: new Uint8Array(), ...metadata };
  return sender.manager.encrypt({ ...request, privacyFlag: PrivacyFlag.PartyProtection });
}

/** The copy of a payload for B1. */
async function makePayload(bytes: Uint8Array): Promise<EncodedPayload> {
  return copyForRecipient(await encrypt(bytes), B1);
}

function post(url: string, body: Uint8Array | string, type: string): Promise<Response> {
  const data = typeof body === 'string' ? body : Uint8Array.from(body);
  return fetch(url, { method: 'POST', headers: { 'content-type': type }, body: data });
}

/** Sends a request; counts the turns that its pieces wait for. */
async function watch(send: () => Promise<Response>): Promise<{ answer: Response; turns: number }> {
  const before = turns;
  const answer = await send();
  return { answer, turns: turns - before };
}

describe('the worst 100 kB', () => {
  it('on /push, about contracts that are known, is looked at in pieces', async () => {
    const creation = await makePayload(Buffer.alloc(90_000, 7));
    const hash = await manager.manager.push(creation);
    const affected = many(690, () => ({ hash, securityHash: Buffer.alloc(64) }));
    const body = encodeBinaryPayload({ ...(await makePayload(Buffer.from('later'))), affected });
    const { answer, turns } = await watch(() => post(`${manager.peerUrl}push`, body, BYTES));
    expect(answer.status).toBe(201);
    expect(answer.headers.get('tetrad-dropped-contracts')?.split('.')).toHaveLength(690);
    expect(turns).toBeGreaterThanOrEqual(Math.floor(690 / BEGUN_A_TURN));
  });

  it('on /push, of boxes without keys, is opened in pieces, and kept once each', async () => {
    const payload = await makePayload(Buffer.from('boxes'));
    const [box] = payload.recipientBoxes as [Uint8Array];
    const boxes = many(1_000, (index) => (index % 2 === 0 ? box : Buffer.alloc(48, `box ${index}`)));
    const body = encodeBinaryPayload({ ...payload, recipientKeys: [], recipientBoxes: boxes });
    const { answer, turns } = await watch(() => post(`${manager.peerUrl}push`, body, BYTES));
    expect(answer.status).toBe(201);
    expect(turns).toBeGreaterThanOrEqual(Math.floor(500 / BEGUN_A_TURN));
    const hash = Buffer.from(await answer.text(), 'base64');
    expect((await manager.manager.find(hash)).recipientBoxes).toHaveLength(1);
    expect((await manager.manager.receive(hash)).managedParties).toEqual([B1]);
  });

  it('on /pushes, of many payloads, is looked at in pieces', async () => {
    const payloads = await Promise.all(many(64, (index) => makePayload(Buffer.from(`of a group ${index}`))));
    const body = joinPushes(payloads.map(encodeBinaryPayload));
    const { answer, turns } = await watch(() => post(`${manager.peerUrl}pushes`, body, BYTES));
    expect((await answer.text()).split(',').every((one) => one.startsWith('201 '))).toBe(true);
    expect(turns).toBeGreaterThanOrEqual(Math.floor(64 / BEGUN_A_TURN));
  });

  it('on /encodedpayload/create, for as many recipients as there may be, is boxed in pieces', async () => {
    const to = many(999, () => generateKeyPair().publicKey);
    const body = JSON.stringify({ payload: 'AAAA', to });
    const url = `${manager.clientUrl}encodedpayload/create`;
    const { answer, turns } = await watch(() => post(url, body, V2_1));
    expect(answer.status).toBe(200);
    expect(((await answer.json()) as { recipientBoxes: string[] }).recipientBoxes).toHaveLength(1_000);
    expect(turns).toBeGreaterThanOrEqual(Math.floor(1_000 / BEGUN_A_TURN));
  });
});

describe('boxes of one payload', () => {
  it('are never more than can be read again', async () => {
    const payload = await encrypt(Buffer.from('grown'), [B1, B2]);
    const hash = await manager.manager.push(copyForRecipient(payload, B1));
    const [box] = copyForRecipient(payload, B2).recipientBoxes as [Uint8Array];
    const [recipientKeys, recipientBoxes] = [many(1_000, () => B2), many(1_000, () => box)];
    await manager.manager.push({ ...payload, recipientKeys, recipientBoxes });
    expect((await manager.manager.receive(hash)).managedParties).toEqual([B2, B1]);
  });
});
