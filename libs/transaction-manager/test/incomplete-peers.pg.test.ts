import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { PrivacyFlag } from '../src/payload/encoded-payload.js';
import { recordedPair } from './recorded.js';
import { startManager, type RunningManager } from './running-managers.js';

const [A1, B1, C1] = ['a1', 'b1', 'c1'].map((name) => recordedPair(name).publicKey) as [
  ReturnType<typeof recordedPair>['publicKey'],
  ReturnType<typeof recordedPair>['publicKey'],
  ReturnType<typeof recordedPair>['publicKey'],
];
const STANDARD = {
  privacyFlag: PrivacyFlag.Standard,
  affected: [],
  execHash: new Uint8Array(),
  mandatoryRecipients: [],
  privacyGroupId: undefined,
  from: undefined,
};
const SUCCESS = 0;
const PARTIAL = 1;
/** A port on which nothing listens. */
const DOWN = 'http://127.0.0.1:1/';

let opened: RunningManager[] = [];
let [first, second, third]: RunningManager[] = [];
beforeEach(async () => {
  first = await start('a1');
  second = await start('b1', { peers: [first.peerUrl] });
  third = await start('c1', { peers: [first.peerUrl] });
  await until(() => opened.every(({ parties }) => parties.entries.length === 3));
  for (const one of opened) await until(async () => (await storeOf(one).find()) === 'new');
});
afterEach(async () => {
  for (const manager of opened.splice(0)) await manager.end();
});

async function start(
  name: string,
  options: Parameters<typeof startManager>[1] = {},
): Promise<RunningManager> {
  const manager = await startManager([name], options);
  opened.push(manager);
  return manager;
}

const storeOf = ({ stored }: RunningManager) => stored.completeness;

/** The manager in place of another one, on its database. */
async function startAgain(name: string, before: RunningManager, peers: readonly string[] = []) {
  await before.stop();
  const { hostname: host, port } = new URL(before.peerUrl);
  const peer = { host, port: Number(port) };
  const again = await startManager([name], { database: before.database, peer, peers });
  const end = async () => {
    await again.stop();
    await before.end();
  };
  opened = opened.map((one) => (one === before ? { ...again, end } : one));
  return again;
}

/** As its backup of before all payloads left the database. */
async function restore(name: string, manager: RunningManager): Promise<RunningManager> {
  await manager.stop();
  await manager.database.pool.query('TRUNCATE payload, payload_recipient, staged_payload, completeness');
  await manager.database.pool.query(
    `INSERT INTO payload (hash, encoded) SELECT '\\x01', '\\x01' WHERE NOT EXISTS (SELECT FROM payload)`,
  );
  const again = await startAgain(name, manager);
  expect(again.completeness.doubt).toMatch(/backup/);
  return again;
}

/** Stops a manager whose operator starts it on an empty database by mistake. */
async function keepRowsAside(manager: RunningManager): Promise<void> {
  await manager.stop();
  await manager.database.pool.query(
    `CREATE TABLE kept_payload AS TABLE payload;
     CREATE TABLE kept_recipient AS TABLE payload_recipient;
     TRUNCATE payload, payload_recipient, completeness`,
  );
}

const putRowsBack = ({ database }: RunningManager) =>
  database.pool.query(
    `INSERT INTO payload TABLE kept_payload;
     INSERT INTO payload_recipient TABLE kept_recipient`,
  );

const send = ({ manager }: RunningManager, to: SendTo) =>
  manager.send({ ...STANDARD, payload: Buffer.from('payload'), to });
type SendTo = Parameters<RunningManager['manager']['send']>[0]['to'];

const ask = ({ peerUrl }: RunningManager, path: string, members: object) =>
  fetch(`${peerUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(members),
  });

describe('a recovery', () => {
  it('is not complete by what a peer sends that may have lost payloads itself, and names the peer', async () => {
    const { hash } = await send(second!, [C1]);
    const restored = await restore('b1', second!);
    await third!.database.pool.query('TRUNCATE payload, payload_recipient, completeness');
    await third!.stop();
    const lost = await startAgain('c1', third!, [first!.peerUrl, restored.peerUrl]);
    await until(() => lost.parties.entries.length === 3 && restored.parties.entries.length === 3);
    const partial = await lost.recovery.run();
    expect(partial).toMatchObject({ result: PARTIAL, answered: [first!.peerUrl], failed: [] });
    expect([partial.restored, partial.unchecked]).toEqual([[restored.peerUrl], []]);
    await expect(lost.manager.find(hash)).rejects.toMatchObject({ kind: 'unavailable' });
    // As far as its operator knows.
    await storeOf(restored).set('declared');
    await until(() => restored.completeness.doubt === undefined);
    expect(await lost.recovery.run()).toMatchObject({ result: SUCCESS, restored: [] });
    await expect(lost.manager.find(hash)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('ends when a peer began empty and has not heard all its peers, and the doubt stays until it has', async () => {
    const { hash } = await send(second!, [C1]);
    const restored = await restore('c1', third!);
    await keepRowsAside(second!);
    const empty = await startAgain('b1', second!, [first!.peerUrl, DOWN]);
    await until(() => restored.parties.entries.length === 3 && empty.parties.entries.length === 3);
    const outcome = await restored.recovery.run();
    expect(outcome).toMatchObject({ result: SUCCESS, failed: [], restored: [], unchecked: [empty.peerUrl] });
    expect(await storeOf(restored).find()).toBe('unconfirmed');
    await until(() => restored.completeness.doubt?.includes(empty.peerUrl) === true);
    await expect(restored.manager.find(hash)).rejects.toMatchObject({ kind: 'unavailable' });
    const again = await startAgain('c1', restored, [first!.peerUrl]);
    expect(again.completeness.doubt).toBeDefined();

    // Its operator finds the rows.
    await putRowsBack(second!);
    await until(() => again.completeness.doubt?.includes(`${empty.peerUrl} holds payloads`) === true);
    await storeOf(empty).set('declared');
    await until(() => empty.completeness.doubt === undefined);
    expect(await again.recovery.run()).toMatchObject({ result: SUCCESS, unchecked: [] });
    expect((await again.manager.find(hash)).recipientKeys).toEqual([C1]);
    expect(await storeOf(again).find()).toBe('recovered');
  });

  it('ends the doubt of both when a peer that began empty waits for it', async () => {
    const restored = await restore('b1', second!);
    await third!.stop();
    await third!.database.pool.query('TRUNCATE payload, payload_recipient, completeness');
    const empty = await startAgain('c1', third!, [first!.peerUrl, restored.peerUrl]);
    await until(() => empty.completeness.doubt?.includes('may have lost payloads itself') === true);
    await until(() => restored.parties.entries.length === 3);
    const outcome = await restored.recovery.run();
    expect(outcome).toMatchObject({ result: SUCCESS, unchecked: [empty.peerUrl] });
    await until(async () => (await storeOf(empty).find()) === 'new');
    await until(async () => (await storeOf(restored).find()) === 'recovered');
    await until(() => [empty, restored].every(({ completeness }) => completeness.doubt === undefined));
  });

  it('leaves a manager that began empty too as it is, which does not wait for another such one', async () => {
    for (const manager of [second!, third!]) {
      await manager.stop();
      await manager.database.pool.query('TRUNCATE payload, payload_recipient, completeness');
    }
    const empty = await startAgain('b1', second!, [first!.peerUrl, DOWN]);
    const other = await startAgain('c1', third!, [first!.peerUrl]);
    await until(() => other.parties.entries.length === 3 && empty.parties.find(C1) !== undefined);
    expect(await other.recovery.run()).toMatchObject({ result: SUCCESS, unchecked: [empty.peerUrl] });
    await until(async () => (await storeOf(other).find()) === 'new');
    expect(await storeOf(empty).find()).toBe('unchecked');
  });
});

describe('a manager that may have lost payloads', () => {
  it('says so when it has resent what it has, in a header that other managers ignore', async () => {
    const restored = await restore('b1', second!);
    await until(() => restored.parties.find(A1) !== undefined);
    const batches = await ask(restored, 'resendBatch', { publicKey: A1, batchSize: 10 });
    expect([batches.status, await batches.json()]).toEqual([200, { total: 0 }]);
    expect(batches.headers.get('tetrad-incomplete')).toBe('restored');
    const all = await ask(restored, 'resend', { type: 'ALL', publicKey: A1 });
    expect([all.status, all.headers.get('tetrad-incomplete')]).toEqual([200, 'restored']);
    const key = Buffer.alloc(64, 7).toString('base64');
    const one = await ask(restored, 'resend', { type: 'INDIVIDUAL', publicKey: A1, key });
    expect(one.status).toBe(503);
    const complete = await ask(first!, 'resendBatch', { publicKey: B1, batchSize: 10 });
    expect([complete.status, complete.headers.get('tetrad-incomplete')]).toEqual([200, null]);
    expect((await ask(first!, 'resend', { type: 'INDIVIDUAL', publicKey: B1, key })).status).toBe(404);
  });

  it('leaves open whether a manager that began empty lost something, until it is complete again', async () => {
    const restored = await restore('b1', second!);
    await third!.stop();
    await third!.database.pool.query('TRUNCATE payload, payload_recipient, completeness');
    const empty = await startAgain('c1', third!, [first!.peerUrl, restored.peerUrl]);
    await until(() => empty.completeness.doubt?.includes('may have lost payloads itself') === true);
    expect(empty.completeness.doubt).toContain(restored.peerUrl);
    expect(empty.completeness.doubt).not.toContain(first!.peerUrl);
    await storeOf(restored).set('declared');
    await until(async () => (await storeOf(empty).find()) === 'new');
  });
});
