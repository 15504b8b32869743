import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { keyFromBytes } from '../keys/key-pair.js';
import { encodeBinaryPayload } from '../payload/binary-payload.js';
import { PrivacyFlag, type EncodedPayload } from '../payload/encoded-payload.js';
import { Resender, type ResendParts } from './resend.js';

const MIB = 1_048_576;
const SENDER = keyFromBytes(randomBytes(32));

/** A payload of 1 MiB, with a box for each of so many recipients. */
function payloadFor(recipients: number): EncodedPayload {
  const keys = Array.from({ length: recipients }, () => keyFromBytes(randomBytes(32)));
  return {
    sender: SENDER,
    cipherText: randomBytes(MIB),
    cipherTextNonce: randomBytes(24),
    recipientBoxes: keys.map(() => randomBytes(48)),
    recipientNonce: randomBytes(24),
    recipientKeys: keys,
    privacyFlag: PrivacyFlag.Standard,
    affected: [],
    execHash: new Uint8Array(),
    mandatoryRecipients: [],
    privacyGroupId: undefined,
  };
}

/** A resender of one payload; `pushed` is called for each batch, with the payloads in it. */
function resenderOf(payload: EncodedPayload, pushed: (count: number) => void): Resender {
  const rows = [{ sequence: 1, encoded: encodeBinaryPayload(payload) }];
  return new Resender({
    store: { page: async (_: Uint8Array, after: number) => (after === 0 ? rows : []) },
    parties: { isConfigured: () => false, find: () => ({ url: 'http://peer/', versions: new Set() }) },
    peers: {
      async postJson(_url: string, _path: string, { encodedPayloads }: { encodedPayloads: string[] }) {
        pushed(encodedPayloads.length);
        return { status: 200, headers: {}, text: '' };
      },
    },
    completeness: { doubt: undefined },
  } as unknown as ResendParts);
}

it('the copies of a payload for its sender are made batch by batch', async () => {
  const payload = payloadFor(300);
  const counts: number[] = [];
  const held: number[] = [];
  const before = process.memoryUsage().arrayBuffers;
  const resender = resenderOf(payload, (count) => {
    counts.push(count);
    held.push(process.memoryUsage().arrayBuffers - before);
  });
  expect(await resender.inBatches(SENDER, 100)).toBe(300);
  expect([new Set(counts), counts.length]).toEqual([new Set([3]), 100]);
  expect(held[0]).toBeLessThan(64 * MIB);
});
