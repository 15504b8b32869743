import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { generateKeyPair } from '../src/keys/key-pair.js';
import type { SendRequest } from '../src/manager/transaction-manager.js';
import { encodePartyInfo } from '../src/party/party-info.js';
import { PrivacyFlag } from '../src/payload/encoded-payload.js';
import { copyForRecipient } from '../src/payload/recipient-copy.js';
import { RecoveryResult } from '../src/recovery/recovery-outcome.js';
import { inOrder } from '../src/recovery/staged-order.js';
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

let managers: RunningManager[];
beforeAll(async () => {
  const first = await startManager(['a1']);
  const peers = [first.peerUrl];
  managers = [first, await startManager(['b1'], { peers }), await startManager(['c1'], { peers })];
  for (const { parties } of managers) await until(async () => parties.entries.length === 3);
  for (const { stored } of managers) await until(async () => (await stored.completeness.find()) === 'new');
});
afterAll(async () => {
  for (const manager of managers) await manager.end();
});

function request(text: string, more: Partial<SendRequest> = {}): SendRequest {
  return { payload: Buffer.from(text), to: [B1, C1], ...STANDARD, ...more };
}

async function textOf({ manager }: RunningManager, hash: Uint8Array): Promise<string> {
  return Buffer.from((await manager.receive(hash)).plaintext).toString();
}

async function lose({ database }: RunningManager): Promise<void> {
  await database.pool.query('TRUNCATE payload, payload_recipient, staged_payload');
}

/** Payloads of every kind, each of which refers to the one before it where it may. */
async function sendAll([first, second]: readonly RunningManager[]): Promise<Uint8Array[]> {
  const plain = await first!.manager.send(request('plain'));
  const creation = await first!.manager.send(request('creation', { privacyFlag: 1 }));
  const affected = { privacyFlag: 1, affected: [creation.hash] };
  const call = await second!.manager.send(request('call', { to: [A1, C1], ...affected }));
  const root = { privacyFlag: 3, execHash: Buffer.from('root'), to: [B1, C1] };
  const base = await first!.manager.send(request('validated', root));
  const later = await first!.manager.send(request('validated later', { ...root, affected: [base.hash] }));
  return [plain, creation, call, base, later].map(({ hash }) => hash);
}

const TEXTS = ['plain', 'creation', 'call', 'validated', 'validated later'];

describe('a manager that lost its payloads', () => {
  it.each([
    ['as a recipient', 2],
    ['as a sender', 0],
  ])('gets them back from its peers, %s', async (_, index) => {
    const hashes = await sendAll(managers);
    const manager = managers[index]!;
    const before = await Promise.all(hashes.map((hash) => manager.manager.find(hash)));
    await lose(manager);
    await expect(manager.manager.receive(hashes[0]!)).rejects.toMatchObject({ kind: 'not-found' });
    const outcome = await manager.recovery.run();
    expect(outcome).toMatchObject({ result: RecoveryResult.Success, failed: [] });
    expect(await Promise.all(hashes.map((hash) => textOf(manager, hash)))).toEqual(TEXTS);
    for (const [at, hash] of hashes.entries()) {
      const { recipientKeys, affected, sender } = await manager.manager.find(hash);
      const lost = before[at]!;
      expect([new Set(recipientKeys), sender]).toEqual([new Set(lost.recipientKeys), lost.sender]);
      expect(affected).toEqual(lost.affected);
      expect(await manager.manager.isSender(hash)).toBe(sender === A1 && index === 0);
    }
    const { rows } = await manager.database.pool.query('SELECT FROM staged_payload');
    expect(rows).toHaveLength(0);
    // Twice does no harm, and what was sent back can be asked for again.
    expect((await manager.recovery.run()).result).toBe(RecoveryResult.Success);
    await lose(managers[1]!);
    expect((await managers[1]!.recovery.run()).result).toBe(RecoveryResult.Success);
    expect(await Promise.all(hashes.map((hash) => textOf(managers[1]!, hash)))).toEqual(TEXTS);
  });

  it('takes no pushes with privacy flags meanwhile, and a second recovery is refused', async () => {
    const [, , third] = managers as [RunningManager, RunningManager, RunningManager];
    let recovered: Promise<unknown> = Promise.resolve();
    await third.database.transaction(async (client) => {
      // What it needs to go on, so that it has not ended when the push comes.
      await client.query('LOCK TABLE staged_payload IN ACCESS EXCLUSIVE MODE');
      recovered = third.recovery.run();
      await expect(third.recovery.run()).rejects.toMatchObject({ kind: 'unavailable' });
      const pushed = managers[0]!.manager.send(request('enhanced', { privacyFlag: 1 }));
      await expect(pushed).rejects.toMatchObject({
        kind: 'rejected',
        message: `Unable to push payload to recipient url ${third.peerUrl}`,
      });
    });
    await recovered;
  });
});

describe('a manager that has lost nothing', () => {
  it('keeps no payload that says it is its own: any recipient can make one', async () => {
    const [first, second] = managers as [RunningManager, RunningManager];
    const forged = await first.manager.encrypt(request('forged', { to: [B1] }));
    await fetch(`${first.peerUrl}partyinfo`);
    const hash = await first.manager.push(copyForRecipient(forged, B1));
    await expect(first.manager.receive(hash)).rejects.toMatchObject({ kind: 'not-found' });
    await second.manager.push(copyForRecipient(forged, B1));
    expect(await textOf(second, hash)).toBe('forged');
  });

  it('resends to all who ask for a key that is known, in batches of at least one', async () => {
    const [first] = managers as [RunningManager];
    const { publicKey } = generateKeyPair();
    const hanging = 'http://127.0.0.1:1/';
    const body = Uint8Array.from(
      encodePartyInfo({ url: hanging, keys: [{ key: publicKey, url: hanging }], parties: [] }),
    );
    const announced = await fetch(`${first.peerUrl}partyinfo`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect(announced.status).toBe(500);
    for (let count = 0; count < 5; count += 1) await first.manager.send(request(`payload ${count}`));
    const ask = (members: object, path = 'resend') =>
      fetch(`${first.peerUrl}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(members),
      });
    const answers = await Promise.all(Array.from({ length: 4 }, () => ask({ type: 'ALL', publicKey: B1 })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await ask({ type: 'ALL', publicKey })).status).toBe(404);
    for (const batchSize of [0, -1, 1.5, '2', null])
      expect((await ask({ publicKey: B1, batchSize }, 'resendBatch')).status).toBe(400);
  });
});

describe('contracts that payloads concern', () => {
  /** A payload of the first manager for both others, about a contract of all and one that the third is not a party to. */
  async function sendAboutTwo([first]: readonly RunningManager[]) {
    const shared = await first!.manager.send(request('shared', { privacyFlag: 1 }));
    const own = await first!.manager.send(request('own', { privacyFlag: 1, to: [B1] }));
    const affected = [shared.hash, own.hash];
    return { affected, call: await first!.manager.send(request('both', { privacyFlag: 1, affected })) };
  }
  const affectedAt = async ({ manager }: RunningManager, hash: Uint8Array) =>
    new Set((await manager.find(hash)).affected.map((one) => Buffer.from(one.hash).toString('base64')));

  it('come back whole, although some recipients know less of them than others', async () => {
    const first = managers[0]!;
    const { affected, call } = await sendAboutTwo(managers);
    const all = await affectedAt(first, call.hash);
    expect(all.size).toBe(affected.length);
    const theirs = [await managers[2]!.manager.find(call.hash), await managers[1]!.manager.find(call.hash)];
    expect(theirs.map((one) => one.affected.length)).toEqual([1, 2]);
    await first.manager.delete(call.hash);
    for (const one of theirs) await first.recovery.acceptBatch([one]);
    expect(await affectedAt(first, call.hash)).toEqual(all);
  });

  it('are waited for while a manager is unavailable that may have them, and nothing is stored without them', async () => {
    const [first, second, third] = managers as [RunningManager, RunningManager, RunningManager];
    const creation = await first.manager.send(request('creation', { privacyFlag: 1 }));
    const affected = { privacyFlag: 1, affected: [creation.hash] };
    const call = await second.manager.send(request('call', { to: [A1, C1], ...affected }));
    const before = await affectedAt(third, call.hash);
    await lose(third);
    await first.stop();
    for (let turn = 0; turn < 2; turn++) {
      const partial = await third.recovery.run();
      expect(partial.result).toBe(RecoveryResult.Partial);
      expect(partial.unresolved).toBeGreaterThan(0);
      expect(partial.failed.map(({ url }) => url)).toEqual([first.peerUrl]);
      await expect(third.manager.receive(call.hash)).rejects.toMatchObject({ kind: 'not-found' });
      const { rows } = await third.database.pool.query('SELECT FROM staged_payload WHERE hash = $1', [
        Buffer.from(call.hash),
      ]);
      expect(rows).toHaveLength(1);
    }
    const { hostname: host, port } = new URL(first.peerUrl);
    const again = await startManager(['a1'], {
      database: first.database,
      peer: { host, port: Number(port) },
    });
    const end = async () => {
      await again.end();
      await first.end();
    };
    managers[0] = { ...first, ...again, database: first.database, end };
    // The one that was started again learns of the others as they tell it of themselves.
    await until(() => managers.every(({ parties }) => parties.entries.length === 3));
    expect(await third.recovery.run()).toMatchObject({ result: RecoveryResult.Success, failed: [] });
    expect(await textOf(third, call.hash)).toBe('call');
    expect(await affectedAt(third, call.hash)).toEqual(before);
  });
});

describe('a peer that sends a payload which cannot be opened', () => {
  it('is named, and nothing of that is stored', async () => {
    const [first, , third] = managers as [RunningManager, RunningManager, RunningManager];
    const { hash } = await first.manager.send(request('whole'));
    const flip = () =>
      first.database.pool.query(
        // Layout: length(8) | sender(32) | length(8) | ciphertext
        'UPDATE payload SET encoded = set_byte(encoded, 48, get_byte(encoded, 48) # 255) WHERE hash = $1',
        [Buffer.from(hash)],
      );
    await lose(third);
    await flip();
    expect((await third.recovery.run()).failed).toEqual([
      { url: first.peerUrl, reason: 'sent 1 payloads that no key here opens' },
    ]);
    await expect(third.manager.receive(hash)).rejects.toMatchObject({ kind: 'not-found' });
    await flip();
    expect(await third.recovery.run()).toMatchObject({ result: RecoveryResult.Success, failed: [] });
    expect(await textOf(third, hash)).toBe('whole');
  });
});

describe('a manager whose peer is gone', () => {
  it('says which peer failed it, and takes the rest of the others', async () => {
    const { hash } = await managers[0]!.manager.send(request('plain'));
    await lose(managers[2]!);
    await managers[1]!.stop();
    const outcome = await managers[2]!.recovery.run();
    expect(outcome).toMatchObject({
      result: RecoveryResult.Partial,
      answered: [managers[0]!.peerUrl],
      failed: [
        {
          url: managers[1]!.peerUrl,
          reason: `Connection error while communicating with ${managers[1]!.peerUrl}`,
        },
      ],
    });
    expect(await textOf(managers[2]!, hash)).toBe('plain');
  });
});

describe('the order of payloads that arrived too early', () => {
  it('is that of references, with circles last', () => {
    const staged = [
      { sequence: 1, after: [3] },
      { sequence: 2, after: [4] },
      { sequence: 3, after: [5, 5] },
      { sequence: 4, after: [2] },
      { sequence: 5, after: [] },
    ];
    expect(inOrder(staged)).toEqual([5, 3, 1, 2, 4]);
  });

  it('takes no longer for a long chain than for as many that stand alone', () => {
    const chain = Array.from({ length: 200_000 }, (_, index) => ({ sequence: index, after: [index + 1] }));
    const last = { sequence: chain.length, after: [] };
    expect(inOrder([...chain, last]).slice(0, 2)).toEqual([200_000, 199_999]);
  });
});
