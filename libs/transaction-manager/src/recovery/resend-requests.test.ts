import { describe, expect, it } from '@jest/globals';
import { pause, silentLogger } from '@tetrad/types';
import { askedPeers, silence, type Asked, type Resend } from '../../test/asked-peers.js';
import { Enclave } from '../enclave/enclave.js';
import { generateKeyPair } from '../keys/key-pair.js';
import { KeyRing } from '../keys/key-ring.js';
import { ResendRequests, type ResendRequestParts } from './resend-requests.js';

const CONFIGURED = 'http://configured/';
const STRANGER = 'http://stranger/';
const HOUR_MS = 3_600_000;

type Tools = Pick<ReturnType<typeof startRequests>, 'requests' | 'clock'>;

/** The requests of a recovery, in virtual time. */
function startRequests(resend: (tools: Tools, asked: Asked) => ReturnType<Resend>) {
  const { clock, peers, asked, runUntil } = askedPeers((one) => resend({ requests, clock }, one));
  const warnings: string[] = [];
  const requests = new ResendRequests({
    enclave: new Enclave(new KeyRing([generateKeyPair()])),
    table: { isConfigured: (url: string) => url === CONFIGURED },
    exchange: { announceToAll: async () => undefined },
    logger: { ...silentLogger, warn: (text: string) => void warnings.push(text) },
    pause: async () => undefined,
    peers,
    clock,
  } as unknown as ResendRequestParts);
  /** @returns what the manager sent */
  async function ask(url: string) {
    let isDone = false;
    const sent = requests.askAll(url).finally(() => (isDone = true));
    // So that it asks before time passes.
    await new Promise((turn) => setImmediate(turn));
    await runUntil(() => isDone);
    return sent;
  }
  return { requests, clock, ask, asked, warnings };
}

const UNREACHABLE = { reason: expect.stringContaining('Connection error') };

describe('a manager that sends for a long time', () => {
  it('is waited for while its payloads come, an hour at most', async () => {
    const { ask, asked } = startRequests(async ({ requests, clock }, one) => {
      while (one.tookMs === undefined) {
        await pause(clock, 250_000);
        requests.take(1, 0);
      }
      return 'unreachable';
    });
    expect(await ask(CONFIGURED)).toEqual(UNREACHABLE);
    expect(asked.map(({ tookMs }) => tookMs)).toEqual([HOUR_MS]);
  });

  it('has sent all when it says so in the end', async () => {
    const { ask } = startRequests(async ({ requests, clock }) => {
      for (let batch = 0; batch < 5; batch += 1) {
        await pause(clock, 250_000);
        requests.take(100, 0);
      }
      return [200, '{"total":500}'];
    });
    expect(await ask(STRANGER)).toBe('all');
  });

  it('is asked again, for less, when it ends before that', async () => {
    const { ask, asked } = startRequests(async ({ requests }, one) => {
      if (one.batchSize === 5) return [200, '{"total":0}'];
      requests.take(1, 0);
      return silence(one);
    });
    expect(await ask(STRANGER)).toBe('all');
    expect(asked.map(({ batchSize }) => batchSize)).toEqual([100, 25, 5]);
  });

  it('without batches is waited for while pushes come', async () => {
    const { ask } = startRequests(async ({ requests, clock }, { path }) => {
      // Those of others, which are no answer to a question for batches.
      requests.takeOne();
      if (path === 'resendBatch') return [405, ''];
      for (let push = 0; push < 5; push += 1) {
        await pause(clock, 250_000);
        requests.takeOne();
      }
      return [200, ''];
    });
    expect(await ask(CONFIGURED)).toBe('unflagged');
  });
});

describe('a manager that is silent', () => {
  it('is waited for five minutes, once, whatever strangers send', async () => {
    const { ask, asked } = startRequests(async ({ requests, clock }, one) => {
      while (one.tookMs === undefined) {
        await pause(clock, 7_000);
        requests.take(0, 1);
        requests.takeOne();
      }
      return 'unreachable';
    });
    expect(await ask(CONFIGURED)).toEqual(UNREACHABLE);
    expect(asked.map(({ tookMs }) => tookMs)).toEqual([300_000]);
  });

  it('is waited for ever shorter when it is one of many that the operator did not name', async () => {
    const { ask, asked } = startRequests((_, one) => silence(one));
    for (let count = 0; count < 7; count += 1) await ask(STRANGER);
    await ask(CONFIGURED);
    expect(asked.map(({ tookMs }) => tookMs)).toEqual([
      300_000, 150_000, 75_000, 37_500, 18_750, 10_000, 10_000, 300_000,
    ]);
  });

  it.each([
    [CONFIGURED, 4],
    [STRANGER, 1],
  ])('as %s cannot be reached is asked %i times', async (url, times) => {
    const { ask, asked } = startRequests(async () => 'unreachable');
    expect(await ask(url)).toEqual(UNREACHABLE);
    expect(asked).toHaveLength(times);
  });
});

describe('payloads that no key opens', () => {
  const answerAfter = (opened: number, unopened: number, answer: string) =>
    startRequests(async ({ requests }) => {
      requests.take(opened, unopened);
      return [200, answer];
    });

  it('are those of strangers when all came that a manager says it sent', async () => {
    const { ask, warnings } = answerAfter(2, 5, '{"total":2}');
    expect(await ask(CONFIGURED)).toBe('all');
    expect(warnings).toEqual([expect.stringContaining('no key here opens')]);
  });

  it.each(['{"total":3}', '{}', ''])(
    'are its own when some did not come, by the answer %j',
    async (answer) => {
      const { ask } = answerAfter(2, 5, answer);
      expect(await ask(CONFIGURED)).toEqual({ reason: 'sent 5 payloads that no key here opens' });
    },
  );
});

describe('payloads that a manager says it sent', () => {
  it('are missed when they did not come', async () => {
    const { ask } = startRequests(async ({ requests }) => {
      requests.take(1, 1);
      return [200, '{"total":3}'];
    });
    expect(await ask(CONFIGURED)).toEqual({ reason: 'sent 3 payloads, of which 2 came here' });
  });
});
