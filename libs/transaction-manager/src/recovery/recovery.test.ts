import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '@tetrad/types';
import { payloadFor } from '../../test/payload-for.js';
import { Enclave } from '../enclave/enclave.js';
import { generateKeyPair } from '../keys/key-pair.js';
import { KeyRing } from '../keys/key-ring.js';
import { UNSHARED } from '../manager/request-turns.js';
import { PeerUnreachableError } from '../party/peer-client.js';
import { decodeBinaryPayload } from '../payload/binary-payload.js';
import type { EncodedPayload } from '../payload/encoded-payload.js';
import { Recovery, type RecoveryParts } from './recovery.js';
import { RecoveryResult } from './recovery-outcome.js';

const URL = 'http://peer/';
const OWN = generateKeyPair();
const KEY_UNKNOWN = [404, 'Recipient not found for key: x'] as const;
type Answer = readonly [status: number, text: string, state?: string] | 'unreachable';

/**
 * A recovery from one peer.
 * @param answers - to `/resendBatch`, one after another, the last of them again and again
 * @param more.batches - what comes before each answer
 */
function recoveryFrom(
  answers: readonly Answer[],
  more: { readonly resend?: Answer; readonly batches?: readonly (readonly EncodedPayload[])[] } = {},
) {
  const { resend = [500, 'not asked for'], batches = [] } = more;
  const stored: EncodedPayload[] = [];
  const asked: string[] = [];
  const paused: number[] = [];
  const settled: string[] = [];
  let [announced, turn] = [0, 0];
  const parts = {
    enclave: new Enclave(new KeyRing([OWN])),
    turn: UNSHARED,
    enhanced: true,
    store: {
      add: async ({ encoded }: { encoded: Uint8Array }) => stored.push(decodeBinaryPayload(encoded)) > 0,
    },
    table: { urlsOfParties: [URL], urlsOfHolders: [], isConfigured: () => true, addParties: () => true },
    discover: false,
    lossCheck: { stop: async () => false, start: () => undefined },
    completeness: {
      settle: async (state: string) => void settled.push(state),
      awaitPeers: async () => void settled.push('waits'),
    },
    exchange: { announceToAll: async () => void (announced += 1) },
    staged: { order: async () => [] },
    logger: silentLogger,
    pause: async (ms: number) => void paused.push(ms),
    peers: {
      async postJson(url: string, path: string, { batchSize }: { batchSize?: number }) {
        asked.push(batchSize === undefined ? path : `${path} ${batchSize}`);
        for (const batch of batches) await recovery.acceptBatch(batch);
        const answer = path === 'resend' ? resend : answers[Math.min(turn, answers.length - 1)]!;
        if (path !== 'resend') turn += 1;
        if (answer === 'unreachable') throw new PeerUnreachableError(url);
        const [status, text, state] = answer;
        return { status, text, headers: state === undefined ? {} : { 'tetrad-incomplete': state } };
      },
    },
  } as unknown as RecoveryParts;
  const recovery = new Recovery(parts);
  return { run: () => recovery.run(), asked, paused, settled, stored, announced: () => announced };
}

describe('a peer that does not manage to resend', () => {
  it.each<[string, Answer]>([
    ['gave up on a batch', [500, 'Unable to push payload batch to recipient http://own/']],
    ['could not reach us in time', [410, '']],
    ['has too much to do', [503, 'payloads are being resent already']],
    ['cannot be reached', 'unreachable'],
    ['has forgotten where our keys are', KEY_UNKNOWN],
  ])('as it %s is asked again, for less at a time, and for nothing else', async (_, answer) => {
    const { run, asked, paused, settled } = recoveryFrom([answer, answer, [200, '{"total":0}']]);
    expect(await run()).toMatchObject({ result: RecoveryResult.Success, answered: [URL], failed: [] });
    expect(asked).toEqual(['resendBatch 100', 'resendBatch 25', 'resendBatch 5']);
    expect(paused).toEqual([1_000, 2_000]);
    expect(settled).toEqual(['recovered']);
  });

  it('is named in the end, with the reason, and is not taken for an older one', async () => {
    const { run, asked, settled } = recoveryFrom([[410, '']]);
    const { result, failed, incomplete } = await run();
    expect([result, incomplete, settled]).toEqual([RecoveryResult.Failure, [], []]);
    expect(failed).toEqual([{ url: URL, reason: expect.stringMatching(/^payloads of .*: 410$/) }]);
    expect(asked).toEqual([100, 25, 5, 1].map((size) => `resendBatch ${size}`));
  });

  it('gets another announcement of our keys', async () => {
    const { run, announced } = recoveryFrom([KEY_UNKNOWN, [200, '']]);
    await run();
    expect(announced()).toBe(2);
  });
});

describe('a peer that may have lost payloads itself', () => {
  it.each(['restored', 'a word of a later version'])('and says %s has not sent all', async (said) => {
    const { run, settled } = recoveryFrom([[200, '{"total":0}', said]]);
    const outcome = await run();
    expect(settled).toEqual([]);
    expect(outcome).toMatchObject({ result: RecoveryResult.Partial, answered: [], failed: [] });
    expect([outcome.restored, outcome.unchecked]).toEqual([[URL], []]);
  });

  it('as it began empty has sent what it has, is named, and is waited for', async () => {
    const { run, settled } = recoveryFrom([[200, '{"total":0}', 'unchecked']]);
    const outcome = await run();
    expect(settled).toEqual(['waits']);
    expect(outcome).toMatchObject({ result: RecoveryResult.Success, answered: [], failed: [] });
    expect([outcome.restored, outcome.unchecked]).toEqual([[], [URL]]);
  });
});

describe('a peer without batches', () => {
  it.each<[Answer]>([
    [[404, 'HTTP 404 Not Found']],
    [[405, '']],
    [[415, '']],
    [[500, 'HTTP 405 Method Not Allowed']],
    [[500, 'HTTP 415 Unsupported Media Type']],
  ])('that says %j sends payloads without privacy flags, which is not all', async (answer) => {
    const { run, asked, settled } = recoveryFrom([answer], { resend: [200, ''] });
    const outcome = await run();
    expect(settled).toEqual([]);
    expect(outcome).toMatchObject({ result: RecoveryResult.Partial, answered: [], incomplete: [URL] });
    expect(asked).toEqual(['resendBatch 100', 'resend']);
  });
});

describe('payloads that no key opens', () => {
  const forged = payloadFor(generateKeyPair().publicKey);

  it('are not blamed on a peer of which all came', async () => {
    const own = payloadFor(OWN.publicKey);
    const batches = [[forged], [own, forged]];
    const { run, stored, settled } = recoveryFrom([[200, '{"total":1}']], { batches });
    expect(await run()).toMatchObject({ result: RecoveryResult.Success, answered: [URL], failed: [] });
    expect([stored.map(({ cipherText }) => cipherText), settled]).toEqual([[own.cipherText], ['recovered']]);
  });

  it('are named as those of a peer of which some did not come', async () => {
    const { run, settled } = recoveryFrom([[200, '{"total":1}']], { batches: [[forged]] });
    const { failed } = await run();
    expect(failed).toEqual([{ url: URL, reason: 'sent 1 payloads that no key here opens' }]);
    expect(settled).toEqual([]);
  });
});

it('what comes is for the loss check until that has stopped', async () => {
  let stop: (wasStarted: boolean) => void = () => undefined;
  const stopped = new Promise<boolean>((done) => (stop = done));
  const recovery = new Recovery({
    lossCheck: { stop: () => stopped, start: () => undefined },
    table: { urlsOfParties: [], urlsOfHolders: [], addParties: () => true },
    exchange: { announceToAll: async () => undefined },
    staged: { order: async () => [] },
    discover: false,
  } as unknown as RecoveryParts);
  const ran = recovery.run();
  await expect(recovery.run()).rejects.toMatchObject({ kind: 'unavailable' });
  expect(recovery.isRunning).toBe(false);
  stop(false);
  expect((await ran).result).toBe(RecoveryResult.Failure);
});
