import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { pause, silentLogger } from '@tetrad/types';
import { askedPeers, silence, type Asked, type Resend } from '../../test/asked-peers.js';
import { payloadFor } from '../../test/payload-for.js';
import { Enclave } from '../enclave/enclave.js';
import { generateKeyPair } from '../keys/key-pair.js';
import { KeyRing } from '../keys/key-ring.js';
import { UNSHARED } from '../manager/request-turns.js';
import { payloadHash, type EncodedPayload } from '../payload/encoded-payload.js';
import { LossCheck, type LossCheckParts } from './loss-check.js';

const PEER = 'http://peer/';
const OWN = generateKeyPair();
const NOT_OURS = payloadFor(generateKeyPair().publicKey);
const UNKNOWN_KEY = [404, 'Recipient not found for key: x'] as const;

let started: Started | undefined;
afterEach(async () => {
  const stopped = started?.check.stop();
  await started?.runUntil(() => false);
  await stopped;
});

type Started = ReturnType<typeof startCheck>;
type Tools = Pick<Started, 'check' | 'here' | 'clock'>;

/** A check of a manager that began empty, with one peer; turns follow each other at once. */
function startCheck(resend: (tools: Tools, asked: Asked) => ReturnType<Resend>) {
  const here = new Set<EncodedPayload>();
  const [settled, doubts, turnOf]: [string[], string[], number[]] = [[], [], []];
  let turns = 0;
  const { clock, peers, asked, runUntil } = askedPeers((one) => {
    turnOf.push(turns);
    return resend({ check, here, clock }, one);
  });
  const completeness = {
    get isSettled() {
      return settled.length > 0;
    },
    get isUnchecked() {
      return settled.length === 0;
    },
    isUnconfirmed: false,
    refresh: async () => void (turns += 1),
    leaveOpen: (doubt: string | undefined) => void doubts.push(doubt ?? ''),
    settle: async (state: string) => void settled.push(state),
  };
  const hasHash = (hash: Uint8Array) =>
    [...here].some((payload) => Buffer.compare(payloadHash(payload), hash) === 0);
  const check = new LossCheck({
    completeness,
    table: { urlsOfParties: [PEER], urlsOfHolders: [], isConfigured: () => true, addParties: () => true },
    exchange: { announceToAll: async () => undefined },
    enclave: new Enclave(new KeyRing([OWN])),
    store: { has: async (hash: Uint8Array) => hasHash(hash) },
    peers,
    clock,
    turn: UNSHARED,
    logger: silentLogger,
    discover: false,
    intervalMs: 1,
  } as unknown as LossCheckParts);
  check.start();
  return { check, here, clock, asked, turnOf, settled, doubts, runUntil, turns: () => turns };
}

function storedHere({ here }: Pick<Tools, 'here'>): EncodedPayload {
  const payload = payloadFor(OWN.publicKey);
  here.add(payload);
  return payload;
}

/** Resolves when the peer has been asked so often. */
const askedTimes = (count: number) => until(() => started?.asked.length === count);

describe('a manager that began empty', () => {
  it('is new when a peer has sent for longer than a limit, batch by batch', async () => {
    started = startCheck(async (tools) => {
      for (let batch = 0; batch < 10; batch += 1) {
        await pause(tools.clock, 50_000);
        await tools.check.acceptBatch([storedHere(tools)]);
      }
      return [200, '{"total":10}'];
    });
    await askedTimes(1);
    await started.runUntil(() => started?.settled.length === 1);
    expect([started.settled, started.asked]).toEqual([
      ['new'],
      [expect.objectContaining({ batchSize: 100 })],
    ]);
  });

  it('waits no longer than an hour for a peer that sends without an end', async () => {
    started = startCheck(async (tools, asked) => {
      while (asked.tookMs === undefined) {
        await pause(tools.clock, 50_000);
        await tools.check.acceptBatch([storedHere(tools)]);
      }
      return 'unreachable';
    });
    await askedTimes(1);
    const [first] = started.asked;
    await started.runUntil(() => first?.tookMs !== undefined);
    expect(first?.tookMs).toBe(3_600_000);
  });

  it('asks a silent peer ever more seldom, and waits longer for it, whatever strangers send', async () => {
    started = startCheck(async (tools, asked) => {
      while (asked.tookMs === undefined) {
        await pause(tools.clock, 7_000);
        await tools.check.acceptBatch([NOT_OURS]);
      }
      return 'unreachable';
    });
    for (const [index, waitedMs] of [60_000, 120_000, 240_000, 480_000, 600_000, 600_000].entries()) {
      await askedTimes(index + 1);
      const asked = started.asked[index];
      await started.runUntil(() => asked?.tookMs !== undefined);
      expect(asked?.tookMs).toBe(waitedMs);
    }
    expect(started.doubts.at(-1)).toContain(`${PEER} does not say what it holds (no answer)`);
    expect(started.turnOf).toEqual([1, 3, 7, 15, 31, 63]);
  });

  it('leaves ever longer pauses to a peer that sent a part and failed, and asks it for less at a time', async () => {
    started = startCheck(async (tools) => {
      await tools.check.acceptBatch([storedHere(tools)]);
      return [500, 'Unable to push payload batch'];
    });
    await until(() => started!.asked.length >= 4);
    expect(started.turnOf.slice(0, 4)).toEqual([1, 3, 7, 15]);
    expect(started.asked.slice(0, 4).map(({ batchSize }) => batchSize)).toEqual([100, 10, 10, 10]);
  });

  it.each<[string, Awaited<ReturnType<Resend>>]>([
    ['is down', 'unreachable'],
    ['has not heard of the key', UNKNOWN_KEY],
  ])('asks a peer that %s in each turn', async (_, answer) => {
    started = startCheck(async () => answer);
    await until(() => started!.asked.length >= 4);
    expect(started.turnOf.slice(0, 4)).toEqual([1, 2, 3, 4]);
  });
});

describe('a payload that is not here', () => {
  const lost = payloadFor(OWN.publicKey);
  const push = ({ check }: Tools) =>
    check.acceptBatch([lost]).then(
      () => 200,
      () => 500,
    );

  it('is no loss when it comes from a stranger while a peer says that all it sent was taken', async () => {
    started = startCheck(async (tools) => {
      expect(await push(tools)).toBe(500);
      await tools.check.acceptBatch([storedHere(tools)]);
      return [200, '{"total":1}'];
    });
    await until(() => started!.settled.length > 0);
    expect(started.settled).toEqual(['new']);
    expect(started.doubts.filter((doubt) => doubt.includes(PEER))).toEqual([]);
  });

  it.each<[string, readonly [number, string]]>([
    ['had it refused', [500, 'Unable to push payload batch']],
    ['does not mind that it was refused', [200, '{"total":1}']],
  ])('is a loss when a peer %s', async (_, answer) => {
    started = startCheck(async (tools) => {
      expect(await push(tools)).toBe(500);
      return answer;
    });
    await until(() => started!.doubts.some((doubt) => doubt.includes(`${PEER} holds payloads`)));
    expect(started.settled).toEqual([]);
  });

  it.each<[string, Awaited<ReturnType<Resend>>]>([
    ['is down', 'unreachable'],
    ['has not heard of the key', UNKNOWN_KEY],
  ])('is not taken for one of a peer that %s', async (_, answer) => {
    started = startCheck(async (tools) => {
      expect(await push(tools)).toBe(500);
      return answer;
    });
    await until(() => started!.doubts.some((doubt) => doubt.includes(`${PEER} does not say what it holds`)));
    expect(started.doubts.filter((doubt) => doubt.includes('holds payloads'))).toEqual([]);
  });

  it('leaves open what a peer holds that sent it elsewhere', async () => {
    started = startCheck(async () => [200, '{"total":1}']);
    await until(() =>
      started!.doubts.some((doubt) => doubt.includes('sent 1 payloads, of which 0 came here')),
    );
    expect(started.settled).toEqual([]);
  });
});

describe('a check that is stopped', () => {
  it('refuses what peers send, and does not wait for one that hangs', async () => {
    started = startCheck((_, asked) => silence(asked));
    await askedTimes(1);
    expect(started.check.isRunning).toBe(true);
    const stopped = started.check.stop();
    expect(started.check.isRunning).toBe(false);
    await started.runUntil(() => started?.asked[0]?.tookMs !== undefined);
    expect([await stopped, started.asked[0]?.tookMs]).toEqual([true, 5_000]);
  });
});
