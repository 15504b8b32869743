import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { createTestDatabase, until, type TestDatabase } from '@tetrad/testkit';
import { PrivacyFlag } from '../src/payload/encoded-payload.js';
import { LinkBetween } from './link-between.js';
import { recordedPair } from './recorded.js';
import { startManager, type RunningManager } from './running-managers.js';

const B1 = recordedPair('b1').publicKey;
const REQUEST = {
  to: [B1],
  privacyFlag: PrivacyFlag.Standard,
  affected: [],
  execHash: new Uint8Array(),
  mandatoryRecipients: [],
  privacyGroupId: undefined,
};

let testDatabase: TestDatabase;
let database: Database;
let link: LinkBetween;
let recipient: RunningManager;
let sender: RunningManager;

beforeAll(async () => {
  testDatabase = await createTestDatabase('transaction-manager');
  database = await connectDatabase({ url: testDatabase.url, poolSize: 4 });
  link = await LinkBetween.start();
  recipient = await startManager(['b1'], { url: link.url });
  link.target = recipient.peerUrl;
  sender = await startSender();
});
afterEach(() => {
  link.interference = {};
});
afterAll(async () => {
  await sender.end();
  await recipient.end();
  await link.end();
  await database.close();
  await testDatabase.drop();
});

async function startSender(): Promise<RunningManager> {
  const manager = await startManager(['a1'], { database, peers: [link.url] });
  await until(async () => manager.parties.find(B1) !== undefined);
  return manager;
}

/** The manager that dies next starts again on its rows. */
async function restart(): Promise<void> {
  await sender.end();
  sender = await startSender();
}

const isPush = (path: string) => path.startsWith('/push');

function holdPushes(): () => void {
  let release = () => undefined as void;
  const released = new Promise<void>((done) => (release = done));
  link.interference = { holds: (path) => (isPush(path) ? released : Promise.resolve()) };
  return release;
}

async function store(): Promise<Uint8Array> {
  return sender.manager.storeRaw(Buffer.from('a secret'), undefined);
}

const send = (hash: Uint8Array) => sender.manager.sendSigned({ hash, ...REQUEST });

const undelivered = async () => (await sender.stored.payloads.undelivered()).length;

const isStored = async ({ stored }: RunningManager, hash: Uint8Array) =>
  (await stored.payloads.find(hash)) !== undefined;

describe('a payload that is sent', () => {
  it('is stored while it is on its way, and its parties are said once all have it', async () => {
    const release = holdPushes();
    const hash = await store();
    const sent = send(hash);
    await until(async () => (await undelivered()) === 1);
    expect(await isStored(sender, hash)).toBe(true);
    let said: readonly string[] | undefined;
    const asked = sender.manager.participants(hash).then((keys) => (said = keys));
    await new Promise((turn) => setImmediate(turn));
    expect([said, await isStored(recipient, hash)]).toEqual([undefined, false]);
    release();
    expect((await sent).hash).toEqual(hash);
    expect(await asked).toContain(B1);
    expect(await isStored(recipient, hash)).toBe(true);
    await until(async () => (await undelivered()) === 0);
  });

  it('is not stored when a recipient refuses it, and can be sent again', async () => {
    const hash = await store();
    link.interference = { drops: isPush };
    await expect(send(hash)).rejects.toMatchObject({ kind: 'rejected' });
    expect([await isStored(sender, hash), await undelivered()]).toEqual([false, 0]);
    await expect(sender.manager.participants(hash)).rejects.toMatchObject({ kind: 'not-found' });
    link.interference = {};
    await send(hash);
    expect(await isStored(recipient, hash)).toBe(true);
  });

  it('twice at the same time is sent once', async () => {
    const hash = await store();
    const outcomes = await Promise.allSettled([send(hash), send(hash)]);
    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { message: expect.stringContaining('exists already') } },
    ]);
  });
});

describe('a payload of which a manager died before its recipients had it', () => {
  /** Rows as the manager leaves them that dies between its own commit and that of the recipient. */
  async function leave(): Promise<Uint8Array> {
    const hash = await store();
    await send(hash);
    await until(async () => (await undelivered()) === 0);
    await database.pool.query('INSERT INTO undelivered_payload (hash) VALUES ($1)', [hash]);
    await recipient.manager.delete(hash);
    return hash;
  }

  it('is delivered after the start, and until then its participants are not known', async () => {
    const hash = await leave();
    link.interference = { drops: isPush };
    await restart();
    const { manager } = sender;
    await expect(manager.participants(hash)).rejects.toMatchObject({ kind: 'unavailable' });
    // A block that names it was made after the answer to the send.
    expect(Buffer.from((await manager.receive(hash)).plaintext).toString()).toBe('a secret');
    await expect(send(hash)).rejects.toMatchObject({ message: expect.stringContaining('Unable to push') });
    expect([await isStored(sender, hash), await undelivered()]).toEqual([true, 1]);
    link.interference = {};
    await until(async () => isStored(recipient, hash));
    await until(async () => (await undelivered()) === 0);
    expect(await manager.participants(hash)).toContain(B1);
  });

  it('is delivered by the client that sends it again, before it gets the answer to a repeated send', async () => {
    const hash = await leave();
    link.interference = { drops: isPush };
    await restart();
    link.interference = {};
    await expect(send(hash)).rejects.toMatchObject({ message: expect.stringContaining('exists already') });
    expect(await isStored(recipient, hash)).toBe(true);
  });

  it('is delivered by another process on the database that is to send it again', async () => {
    const hash = await leave();
    await expect(send(hash)).rejects.toMatchObject({ message: expect.stringContaining('exists already') });
    expect(await isStored(recipient, hash)).toBe(true);
  });

  it('leaves no mark where the payload was deleted', async () => {
    const hash = await leave();
    await sender.manager.delete(hash);
    await restart();
    await until(async () => (await undelivered()) === 0);
  });
});
