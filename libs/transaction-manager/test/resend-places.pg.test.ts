import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { PrivacyFlag } from '../src/payload/encoded-payload.js';
import { RecoveryResult } from '../src/recovery/recovery-outcome.js';
import { LinkBetween } from './link-between.js';
import { recordedPair } from './recorded.js';
import { startManager, type RunningManager } from './running-managers.js';

const KEYS = ['b1', 'b2', 'c1'].map((name) => recordedPair(name).publicKey);
const TEXTS = ['first', 'second'];

let resending: RunningManager;
/** Managers of the keys, each behind a link. */
const receivers: { readonly manager: RunningManager; readonly link: LinkBetween }[] = [];
let hashes: Uint8Array[] = [];
beforeAll(async () => {
  resending = await startManager(['a1']);
  for (const name of ['b1', 'b2', 'c1']) {
    const link = await LinkBetween.start();
    const options = { url: link.url, peers: [resending.peerUrl], discover: false };
    const manager = await startManager([name], options);
    link.target = manager.peerUrl;
    receivers.push({ manager, link });
  }
  await until(async () => KEYS.every((key) => resending.parties.find(key) !== undefined));
  hashes = [];
  for (const text of TEXTS) hashes.push((await resending.manager.send(requestOf(text))).hash);
});
afterAll(async () => {
  for (const { link } of receivers) await link.end();
  for (const { manager } of receivers) await manager.end();
  await resending.end();
});

function requestOf(text: string) {
  return {
    payload: Buffer.from(text),
    to: KEYS,
    privacyFlag: PrivacyFlag.Standard,
    affected: [],
    execHash: new Uint8Array(),
    mandatoryRecipients: [],
    privacyGroupId: undefined,
    from: undefined,
  };
}

async function ask(path: string, members: object): Promise<number> {
  const body = JSON.stringify(members);
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${resending.peerUrl}${path}`, { method: 'POST', headers, body })).status;
}

it('a manager gets its payloads back while others never answer what they asked for', async () => {
  const [recovering, ...silent] = receivers as [(typeof receivers)[0], ...typeof receivers];
  let held = 0;
  for (const { link } of silent)
    link.interference.holds = async (path) => {
      if (path !== '/pushBatch') return;
      held += 1;
      await new Promise(() => undefined);
    };
  const [, ...silentKeys] = KEYS;
  for (const publicKey of silentKeys)
    void ask('resendBatch', { publicKey, batchSize: 1 }).catch(() => undefined);
  await until(() => held === silent.length);
  const { manager } = recovering;
  await manager.database.pool.query('TRUNCATE payload, payload_recipient');
  expect(await manager.recovery.run()).toMatchObject({ result: RecoveryResult.Success, failed: [] });
  const received = await Promise.all(hashes.map((hash) => manager.manager.receive(hash)));
  expect(received.map(({ plaintext }) => Buffer.from(plaintext).toString())).toEqual(TEXTS);
});

it('who asks for a key while its payloads are resent gets all of them after that', async () => {
  const { link } = receivers[0]!;
  let release = () => undefined as void;
  const released = new Promise<void>((done) => (release = done));
  let pushes = 0;
  link.interference.holds = async (path) => {
    if (path !== '/push') return;
    pushes += 1;
    await released;
  };
  const request = { type: 'ALL', publicKey: KEYS[0] };
  const first = ask('resend', request);
  await until(() => pushes === 1);
  const later = [ask('resend', request), ask('resend', request)];
  // They are there by now, and wait.
  const answered = await Promise.race([...later, fetch(`${resending.peerUrl}upcheck`).then(() => 'none')]);
  expect([answered, pushes]).toEqual(['none', 1]);
  release();
  expect(await Promise.all([first, ...later])).toEqual([200, 200, 200]);
  expect(pushes % TEXTS.length).toBe(0);
  expect(pushes).toBeGreaterThanOrEqual(2 * TEXTS.length);
});

it('what asks for payloads is short, since it is held while others are sent theirs', async () => {
  const request = { type: 'ALL', publicKey: KEYS[0], more: ' '.repeat(70_000) };
  expect([await ask('resend', request), await ask('resendBatch', { ...request, batchSize: 1 })]).toEqual([
    400, 400,
  ]);
});
