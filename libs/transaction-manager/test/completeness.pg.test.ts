import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import type { SendRequest } from '../src/manager/transaction-manager.js';
import { readMark } from '../src/completeness/payload-mark.js';
import { Enclave } from '../src/enclave/enclave.js';
import { KeyRing } from '../src/keys/key-ring.js';
import { encodeBinaryPayload } from '../src/payload/binary-payload.js';
import { PrivacyFlag } from '../src/payload/encoded-payload.js';
import { copyForRecipient } from '../src/payload/recipient-copy.js';
import { RecoveryResult } from '../src/recovery/recovery-outcome.js';
import type { TransactionManagerOptions } from '../src/start-transaction-manager.js';
import { recordedPair } from './recorded.js';
import { startManager, type RunningManager } from './running-managers.js';

const [A1, B1] = ['a1', 'b1'].map((name) => recordedPair(name).publicKey) as [
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
const UNKNOWN_HASH = new Uint8Array(64).fill(7);
/** A port on which nothing listens. */
const DOWN = 'http://127.0.0.1:1/';

let opened: RunningManager[] = [];
afterEach(async () => {
  for (const manager of opened.splice(0)) await manager.end();
});

async function start(
  name: string,
  options: Partial<TransactionManagerOptions> = {},
): Promise<RunningManager> {
  const manager = await startManager([name], options);
  opened.push(manager);
  return manager;
}

/** The manager in place of another one, on its database. */
async function startAgain(name: string, before: RunningManager): Promise<RunningManager> {
  await before.stop();
  const { hostname: host, port } = new URL(before.peerUrl);
  const again = await startManager([name], { database: before.database, peer: { host, port: Number(port) } });
  const end = async () => {
    await again.stop();
    await before.end();
  };
  opened = opened.map((one) => (one === before ? { ...again, database: before.database, end } : one));
  return opened.find(({ peerUrl }) => peerUrl === again.peerUrl) ?? again;
}

const request = (more: Partial<SendRequest> = {}): SendRequest => ({
  payload: Buffer.from('payload'),
  to: [B1],
  ...STANDARD,
  ...more,
});

/** What a node reads of a payload: both forms of the question. */
async function statusOf({ clientUrl }: RunningManager, hash: Uint8Array): Promise<[number, object]> {
  const name = Buffer.from(hash).toString('base64');
  const one = await fetch(`${clientUrl}transaction/${encodeURIComponent(name)}`);
  const several = await fetch(`${clientUrl}payloads`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ hashes: [name] }),
  });
  const { payloads } = (await several.json()) as { payloads: [{ hash: string }] };
  return [one.status, payloads[0]];
}

const storedState = ({ stored }: RunningManager) => stored.completeness.find();

/** The database as a backup of an empty manager leaves it, or one that was lost. */
async function loseAll({ database }: RunningManager): Promise<void> {
  await database.pool.query('TRUNCATE payload, payload_recipient, raw_payload, key_holder, completeness');
}

describe('a manager whose database began empty', () => {
  it('is new once its peers have said that they hold nothing for its keys, and says 404 from then on', async () => {
    const first = await start('a1');
    expect(first.completeness.doubt).toBeUndefined();
    const second = await start('b1', { peers: [first.peerUrl] });
    await until(() => second.completeness.doubt === undefined);
    expect(await storedState(second)).toBe('new');
    expect(await statusOf(second, UNKNOWN_HASH)).toEqual([404, expect.objectContaining({ absent: true })]);
  });

  it('is not lost by payloads that came before its peers were asked', async () => {
    const first = await start('a1');
    const second = await start('b1', { peers: [first.peerUrl, DOWN] });
    await until(() => first.parties.entries.length === 2);
    await first.manager.send(request());
    const again = await startAgain('b1', second);
    await until(async () => (await storedState(again)) === 'new');
  });

  it('says that it cannot know while a peer does not answer, and names the peer and the commands', async () => {
    const first = await start('a1');
    const second = await start('b1', { peers: [first.peerUrl, DOWN] });
    await until(() => second.completeness.doubt?.includes(DOWN) === true);
    expect(second.completeness.doubt).toMatch(/recover.*declare-complete/);
    expect(second.completeness.doubt).not.toContain(first.peerUrl);
    const [status, several] = await statusOf(second, UNKNOWN_HASH);
    expect([status, several]).toEqual([503, expect.objectContaining({ failure: expect.any(String) })]);
    expect(several).not.toHaveProperty('absent');
    expect(await storedState(second)).toBe('unchecked');
    await second.stored.completeness.set('declared');
    await until(() => second.completeness.doubt === undefined);
    expect((await statusOf(second, UNKNOWN_HASH))[0]).toBe(404);
  });

  it('is lost when a peer holds a payload for it that it has not, until a recovery has brought all', async () => {
    const first = await start('a1');
    const second = await start('b1', { peers: [first.peerUrl] });
    for (const one of [first, second]) await until(async () => (await storedState(one)) === 'new');
    const { hash } = await first.manager.send(request());
    await second.stop();
    await loseAll(second);
    const again = await startAgain('b1', second);
    await until(() => first.parties.entries.length === 2);
    // It has no peers of its own and hears of the other one, which holds its payload.
    await until(() => again.completeness.doubt?.includes('holds payloads') === true);
    expect(again.completeness.doubt).toContain(first.peerUrl);
    expect((await statusOf(again, hash))[0]).toBe(503);
    await expect(again.manager.find(UNKNOWN_HASH)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await again.recovery.run()).toMatchObject({ result: RecoveryResult.Success });
    expect(again.completeness.doubt).toBeUndefined();
    expect((await statusOf(again, hash))[0]).toBe(200);
    expect((await statusOf(again, UNKNOWN_HASH))[0]).toBe(404);
    expect(await storedState(again)).toBe('recovered');
  });

  it('is lost when a peer holds what it sent itself', async () => {
    const first = await start('a1');
    const second = await start('b1', { peers: [first.peerUrl] });
    await until(() => second.parties.entries.length === 2 && first.parties.entries.length === 2);
    await first.manager.send(request());
    await first.stop();
    await loseAll(first);
    const again = await startAgain('a1', first);
    await until(() => again.completeness.doubt?.includes('holds payloads') === true);
  });
});

describe('a manager whose rows come from a backup', () => {
  it('cannot know what it has not, also after a restart, and takes no payload about a lost contract', async () => {
    const first = await start('a1');
    const second = await start('b1', { peers: [first.peerUrl] });
    await until(() => second.parties.entries.length === 2 && first.parties.entries.length === 2);
    // What it sends back counts only once it knows that it has lost nothing itself.
    await until(async () => (await storedState(first)) === 'new');
    const kept = await first.manager.send(request());
    await second.stop();
    await second.database.pool.query('TRUNCATE completeness');
    const again = await startAgain('b1', second);
    expect((await statusOf(again, kept.hash))[0]).toBe(200);
    expect((await statusOf(again, UNKNOWN_HASH))[0]).toBe(503);
    const creation = await first.manager.send(request({ privacyFlag: 1 }));
    const call = await first.manager.encrypt(request({ privacyFlag: 1, affected: [creation.hash] }));
    const pushed = await fetch(`${again.peerUrl}push`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: Uint8Array.from(encodeBinaryPayload(copyForRecipient(call, B1))),
    });
    expect(pushed.status).toBe(503);
    const third = await startAgain('b1', again);
    expect(third.completeness.doubt).toMatch(/backup.*recover/);
    await until(() => third.parties.entries.length === 2);
    expect(await third.recovery.run()).toMatchObject({ result: RecoveryResult.Success });
    expect((await statusOf(third, UNKNOWN_HASH))[0]).toBe(404);
  });

  it('is asked to recover from every manager that holds a key of its backup, also one that is down', async () => {
    const first = await start('a1');
    const second = await start('b1', { peers: [first.peerUrl] });
    await until(() => second.parties.entries.length === 2 && first.parties.entries.length === 2);
    await second.manager.send(request({ to: [A1] }));
    await second.stop();
    await second.database.pool.query('TRUNCATE completeness');
    await first.stop();
    // Started again without peers: the backup alone names the other one.
    const again = await startAgain('b1', second);
    const { result, failed } = await again.recovery.run();
    expect([result, failed.map(({ url }) => url)]).toEqual([RecoveryResult.Failure, [first.peerUrl]]);
    expect((await statusOf(again, UNKNOWN_HASH))[0]).toBe(503);
  });
});

describe('a manager whose database was set back by other means than a restore', () => {
  /** Two managers, of which the first keeps a mark of the second that is newer than its payload. */
  async function startMarked(): Promise<[RunningManager, RunningManager]> {
    const first = await start('a1');
    const second = await start('b1', { peers: [first.peerUrl] });
    await until(() => second.parties.entries.length === 2 && first.parties.entries.length === 2);
    for (const one of [first, second]) await until(async () => (await storedState(one)) === 'new');
    const enclave = new Enclave(new KeyRing([recordedPair('b1')]));
    const keptSequence = async () => {
      const { rows } = await first.database.pool.query<{ mark: Buffer | null }>(
        'SELECT mark FROM key_holder',
      );
      return readMark(rows[0]?.mark?.toString('base64') ?? '', enclave)?.sequence ?? 0;
    };
    await first.manager.send(request());
    await first.manager.send(request({ payload: Buffer.from('another') }));
    await until(async () => (await keptSequence()) >= 3);
    return [first, second];
  }

  /** The database as it was before the last payload. */
  const setBack = ({ database }: RunningManager) =>
    database.pool.query(
      `DELETE FROM payload WHERE sequence = (SELECT max(sequence) FROM payload);
       SELECT setval('payload_sequence_seq', (SELECT max(sequence) FROM payload))`,
    );

  it('learns it from a peer before a node can ask, and does not forget it', async () => {
    const [first, second] = await startMarked();
    await second.stop();
    await setBack(second);
    const { hostname: host, port } = new URL(second.peerUrl);
    const options = { peers: [first.peerUrl], database: second.database, peer: { host, port: Number(port) } };
    const again = await start('b1', options);
    expect(again.completeness.doubt).toMatch(/recover/);
    expect((await statusOf(again, UNKNOWN_HASH))[0]).toBe(503);
    await again.stop();
    const third = await start('b1', options);
    expect(third.completeness.doubt).toMatch(/recover/);
    expect(await third.recovery.run()).toMatchObject({ result: RecoveryResult.Success });
    expect((await statusOf(third, UNKNOWN_HASH))[0]).toBe(404);
  });

  it('notices it while it runs', async () => {
    const [, second] = await startMarked();
    await setBack(second);
    await until(() => second.completeness.doubt !== undefined);
    expect((await statusOf(second, UNKNOWN_HASH))[0]).toBe(503);
  });
});
