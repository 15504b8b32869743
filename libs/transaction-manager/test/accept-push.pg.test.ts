import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { Enclave } from '../src/enclave/enclave.js';
import { KeyRing } from '../src/keys/key-ring.js';
import { PrivacyFlag, type EncodedPayload } from '../src/payload/encoded-payload.js';
import { copyForRecipient } from '../src/payload/recipient-copy.js';
import { recordedPair, recordedPairs } from './recorded.js';
import { startManager, type RunningManager } from './running-managers.js';

const sender = new Enclave(new KeyRing(recordedPairs('c1')));
const [b1, b2] = [recordedPair('b1').publicKey, recordedPair('b2').publicKey];

let manager: RunningManager;
beforeAll(async () => {
  manager = await startManager(['b1', 'b2']);
});
afterAll(() => manager.end());

/** The same payload twice, as a sender makes it that tries again: other boxes, under another nonce. */
function twoAttempts(): [EncodedPayload, EncodedPayload] {
  const sealed = sender.seal(sender.ring.first, Buffer.from('payload'));
  const attempt = (): EncodedPayload => ({
    ...sender.box(sealed, [b1, b2]),
    sender: sealed.sender,
    cipherText: sealed.cipherText,
    cipherTextNonce: sealed.nonce,
    privacyFlag: PrivacyFlag.Standard,
    affected: [],
    execHash: new Uint8Array(),
    mandatoryRecipients: [],
    privacyGroupId: undefined,
  });
  return [attempt(), attempt()];
}

it('a payload that comes again under another nonce is refused, as by existing managers', async () => {
  const [first, second] = twoAttempts();
  const hash = await manager.manager.push(copyForRecipient(first, b1));
  await manager.manager.push(copyForRecipient(first, b1));
  await expect(manager.manager.push(copyForRecipient(second, b2))).rejects.toThrow(
    'Invalid existing transaction',
  );
  expect((await manager.manager.receive(hash)).managedParties).toEqual([b1]);
});

it('a stored raw payload is sent again after a recipient failed that the others did not wait for', async () => {
  const other = await startManager(['a1'], { peers: [manager.peerUrl] });
  const down = await startManager(['c1'], { peers: [other.peerUrl] });
  try {
    const [a1, c1] = [recordedPair('a1').publicKey, recordedPair('c1').publicKey];
    const known = async () => await (await fetch(`${other.thirdPartyUrl}partyinfo/keys`)).text();
    await until(async () => (await known()).includes(c1) && (await known()).includes(b1));
    await down.stop();
    const hash = await other.manager.storeRaw(Buffer.from('payload'), a1);
    const metadata = {
      privacyFlag: PrivacyFlag.Standard,
      affected: [],
      execHash: new Uint8Array(),
      mandatoryRecipients: [],
      privacyGroupId: undefined,
    };
    await expect(other.manager.sendSigned({ hash, to: [b1, c1], ...metadata })).rejects.toMatchObject({
      kind: 'unreachable',
    });
    expect((await manager.manager.receive(hash)).managedParties).toEqual([b1]);
    expect((await other.manager.sendSigned({ hash, to: [b1], ...metadata })).hash).toEqual(hash);
    expect(Buffer.from((await other.manager.receive(hash)).plaintext).toString()).toBe('payload');
  } finally {
    await down.end();
    await other.end();
  }
});

it('two copies that come together are both kept', async () => {
  const [payload] = twoAttempts();
  const copies = [b1, b2].map((key) => manager.manager.push(copyForRecipient(payload, key)));
  const [hash] = await Promise.all(copies);
  expect(new Set((await manager.manager.receive(hash!)).managedParties)).toEqual(new Set([b1, b2]));
});

it('copies of an older manager, which name no keys, are kept and read like others', async () => {
  const [payload] = twoAttempts();
  const unnamed = (key: typeof b1) => ({ ...copyForRecipient(payload, key), recipientKeys: [] });
  const hash = await manager.manager.push(unnamed(b2));
  expect((await manager.manager.receive(hash)).managedParties).toEqual([b2]);
  for (let count = 0; count < 2; count += 1) await manager.manager.push(unnamed(b1));
  const { managedParties, plaintext } = await manager.manager.receive(hash);
  expect([new Set(managedParties), managedParties.length]).toEqual([new Set([b1, b2]), 2]);
  expect(Buffer.from(plaintext).toString()).toBe('payload');
  expect((await manager.manager.find(hash)).recipientKeys).toEqual([]);
});

it('a broken box that comes first does not keep the good one out', async () => {
  const [payload] = twoAttempts();
  const broken = { ...copyForRecipient(payload, b1), recipientBoxes: [Buffer.alloc(48)] };
  const hash = await manager.manager.push(broken);
  await expect(manager.manager.receive(hash)).rejects.toMatchObject({ kind: 'not-found' });
  await manager.manager.push(copyForRecipient(payload, b1));
  expect(Buffer.from((await manager.manager.receive(hash)).plaintext).toString()).toBe('payload');
});

it('a stored payload of which no key of ours opens a box is 500, not 404', async () => {
  const [payload] = twoAttempts();
  const hash = await manager.manager.push(copyForRecipient(payload, b1));
  const { rows } = await manager.database.pool.query<{ encoded: Buffer }>(
    'SELECT encoded FROM payload WHERE hash = $1',
    [hash],
  );
  const encoded = Buffer.from(rows[0]?.encoded ?? []);
  const box = Buffer.from(copyForRecipient(payload, b1).recipientBoxes[0] ?? []);
  encoded.fill(0, encoded.indexOf(box), encoded.indexOf(box) + box.length);
  await manager.database.pool.query('UPDATE payload SET encoded = $2 WHERE hash = $1', [hash, encoded]);
  await expect(manager.manager.receive(hash)).rejects.toMatchObject({
    kind: 'rejected',
    message: expect.stringMatching(/^No suitable recipient keys found to decrypt payload for : /),
  });
});
