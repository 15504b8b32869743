import { afterEach, describe, expect, it } from '@jest/globals';
import { signingKeyOf } from '@tetrad/crypto';
import { VirtualClock } from '@tetrad/testkit';
import { parseHash, silentLogger, silentMetrics } from '@tetrad/types';
import { MemoryStore } from '../../test/memory-store.js';
import { AgreementDuty } from './agreement-duty.js';
import type { ExchangeParts } from './exchange-parts.js';

/** How long reading the results of a block takes. */
const READ_MS = 100;
const SECONDS = 60;
const BLOCKS = 100_000;

const hash = parseHash(`0x${'11'.repeat(32)}`);
const counter = silentMetrics.counter('', '');
let duty: AgreementDuty;
let clock: VirtualClock;

/**
 * A node that is far behind with its statements.
 * @returns how many blocks it has read
 */
async function start(importsFirst: () => boolean): Promise<() => number> {
  clock = new VirtualClock();
  const store = new MemoryStore();
  store.head = 0;
  let read = 0;
  duty = new AgreementDuty({
    chainId: 1n,
    genesisHash: hash,
    nodeKey: signingKeyOf(Buffer.alloc(32, 1)),
    store,
    manager: {
      features: async () => ({ kind: 'done', value: { partyMessages: true } }),
      unreadMessages: async () => ({ kind: 'done', value: [] }),
      acknowledgeMessages: async () => ({ kind: 'done', value: undefined }),
    } as unknown as ExchangeParts['manager'],
    results: {
      async read() {
        read += 1;
        await new Promise<void>((done) => clock.schedule(READ_MS, done));
        return [];
      },
    },
    followed: () => BLOCKS,
    hashOf: async () => hash,
    rulesAt: async () => new Map(),
    countTransactions: async () => 0,
    counters: { heard: counter, sent: counter },
    importsFirst,
    clock,
    logger: silentLogger,
  });
  duty.wake();
  // Until it waits for the clock.
  await new Promise((turn) => setImmediate(turn));
  return () => read;
}

/** What was begun ends on the virtual clock. */
async function stop(): Promise<void> {
  const stopped = duty.stop();
  await clock.runUntil(clock.now() + READ_MS, () => false);
  await stopped;
}

afterEach(stop);

describe('a node that is behind with its statements', () => {
  it.each([
    { what: 'half of the time', importsFirst: false, part: 0.5 },
    { what: 'a tenth while many blocks are imported, and never none', importsFirst: true, part: 0.1 },
  ])('gives them $what', async ({ importsFirst, part }) => {
    const read = await start(() => importsFirst);
    await clock.runUntil(clock.now() + 10 * SECONDS * 1_000, () => false);
    const used = (read() * READ_MS) / (10 * SECONDS * 1_000);
    expect(used).toBeGreaterThan(0.8 * part);
    expect(used).toBeLessThan(1.3 * part);
  });

  it('stops at once while it rests', async () => {
    const read = await start(() => true);
    await clock.runUntil(clock.now() + SECONDS * 1_000, () => read() === 64);
    await clock.runUntil(clock.now() + READ_MS, () => false);
    await stop();
    expect(read()).toBe(64);
  });
});
