import { describe, expect, it } from '@jest/globals';
import { ZERO_HASH } from '@tetrad/types';
import { DemandWatch, type WatchParts } from './demand-watch.js';

const terms = { stallTimeoutSeconds: 3_600, requestsPerTimeout: 40, depositsPerTimeout: 400, tokens: 1 };
const NOW = 1_000_000;

interface Seen {
  rules: 'turns' | 'freeze';
  isFrozen: boolean;
  depositAt: number | undefined;
  requestAt: number | undefined;
  failing: number;
  /** Accounts with a request, and deposits, of which something is announced: when, and when it is overdue. */
  announcedRequests: readonly (readonly [
    accountId: number,
    announcedAt: number | undefined,
    overdueAt: number,
  ])[];
  announcedDeposits: readonly (readonly [announcedAt: number | undefined, overdueAt: number])[];
  /** Accounts whose requests the contract was not asked about. */
  unmeasured: number[];
  /** Who announced a freeze, or made it. */
  caller: string | undefined;
}

function watching(seen: Partial<Seen> = {}) {
  const now: Seen = {
    rules: 'freeze',
    isFrozen: false,
    depositAt: undefined,
    requestAt: undefined,
    failing: 0,
    unmeasured: [],
    announcedRequests: [],
    announcedDeposits: [],
    caller: undefined,
    ...seen,
  };
  const rules: string[] = [];
  const asked: number[] = [];
  const parts: WatchParts = {
    reader: {
      exitRules: async () => now.rules,
      latestBlock: async () => ({ number: 7, hash: ZERO_HASH, timestamp: NOW }),
      servingTerms: async () => terms,
      isFrozen: async () => now.isFrozen,
      depositOverdueAt: async () => now.depositAt,
      request: async (id) => (id === 404 ? undefined : { since: NOW - id, progress: BigInt(id) }),
      announcementSeconds: async () => 900,
      waitingDeposits: async () => ({ next: 4, count: 4 + now.announcedDeposits.length }),
      depositDue: async (index) => {
        asked.push(index);
        const [announcedAt, overdueAt = 0] = now.announcedDeposits[index - 4] ?? [];
        return { announcedAt, overdueAt };
      },
      requestDue: async (id) => {
        const found = now.announcedRequests.find(([accountId]) => accountId === id);
        return found && { announcedAt: found[1], overdueAt: found[2] };
      },
      progressOf: async () => 5n,
      held: async () => 100n,
    },
    store: {
      changeExitRules: async (said) => void rules.push(said),
      listUnmeasured: async () =>
        now.unmeasured.map((accountId) => ({ accountId, blockNumber: accountId, logIndex: 0 })),
      measureRequest: async ({ blockNumber }) =>
        void now.unmeasured.splice(now.unmeasured.indexOf(blockNumber), 1),
      listRequestsDue: async (_, { limit }) =>
        now.announcedRequests.slice(0, limit).map(([accountId]) => accountId),
      listRequestedTokens: async () => [0],
      readRequestLoad: async () => ({ open: 1, failing: now.failing, overdueAt: now.requestAt }),
    },
    callers: {
      textOf: async ({ announced, isFrozen }) => (isFrozen || announced.length > 0 ? now.caller : undefined),
    },
  };
  return { now, rules, asked, watch: new DemandWatch(parts) };
}

describe('the watch over what holders demand', () => {
  it('says nothing of a contract with turns', async () => {
    const { watch, rules } = watching({ rules: 'turns' });
    expect(watch.freezes).toBeUndefined();
    expect(await watch.step()).toBe(false);
    expect([watch.freezes, watch.demands, watch.served, watch.problem]).toEqual([
      false,
      undefined,
      undefined,
      undefined,
    ]);
    expect(rules).toEqual(['turns']);
  });

  it('divides what is served as the contract was promised', async () => {
    const { watch, rules } = watching();
    await watch.step();
    await watch.step();
    expect(rules).toEqual(['freeze']);
    const progress = [{ tokenId: 0, progress: 5n, held: 100n }];
    expect(watch.served).toEqual({ progress, rates: { requests: 840, deposits: 400, accepted: 0.25 } });
    expect([watch.freezes, watch.problem]).toEqual([true, undefined]);
  });

  it.each<[string, Partial<Seen>, string | undefined]>([
    ['nothing is due in the last quarter', { requestAt: NOW + 901, depositAt: NOW + 3_000 }, undefined],
    ['a request is', { requestAt: NOW + 899 }, 'deadline: in 899 s anyone may freeze the contract'],
    [
      'a deposit is',
      { depositAt: NOW + 5, requestAt: NOW + 800 },
      'deadline: in 5 s anyone may freeze the contract',
    ],
    ['something is overdue', { depositAt: NOW }, 'deadline: what is overdue lets anyone freeze the contract'],
    ['a request fails', { failing: 2 }, 'requests: 2 cannot be executed, and will freeze the contract'],
    [
      'it is frozen',
      { isFrozen: true, depositAt: NOW },
      'frozen: no batch is taken any more, and holders withdraw by proofs',
    ],
  ])('names as the problem when %s', async (_, seen, problem) => {
    const { watch } = watching(seen);
    await watch.step();
    expect(watch.problem).toBe(problem);
    expect(watch.isFrozen).toBe('isFrozen' in seen);
  });

  it.each<[string, Partial<Seen>, string | undefined]>([
    [
      'by a request, a quarter after the announcement',
      { announcedRequests: [[7, NOW - 100, NOW + 300]] },
      'announced: in 800 s anyone may freeze the contract by the request of account 7',
    ],
    [
      'by a request, no earlier than it is overdue',
      { announcedRequests: [[7, NOW - 899, NOW + 300]] },
      'announced: in 300 s anyone may freeze the contract by the request of account 7',
    ],
    [
      'by the first that can be made',
      {
        announcedRequests: [[7, NOW - 100, NOW + 300]],
        announcedDeposits: [
          [undefined, NOW + 5],
          [NOW - 800, NOW + 10],
        ],
      },
      'announced: in 100 s anyone may freeze the contract by deposit 5',
    ],
    [
      'at once',
      { announcedDeposits: [[NOW - 900, NOW - 1]], depositAt: NOW - 1 },
      'announced: now anyone may freeze the contract by deposit 4',
    ],
    [
      'by none',
      { announcedRequests: [[7, undefined, NOW + 5]], announcedDeposits: [[undefined, NOW + 5]] },
      undefined,
    ],
  ])('names a freeze that is announced %s', async (_, seen, problem) => {
    const { watch } = watching(seen);
    await watch.step();
    expect(watch.problem).toBe(problem);
  });

  it('says who announced a freeze, and who made it, where that is known', async () => {
    const { watch, now } = watching({
      announcedRequests: [[7, NOW - 100, NOW + 300]],
      caller: '0x01 announced it',
    });
    await watch.step();
    expect(watch.problem).toBe(
      'announced: in 800 s anyone may freeze the contract by the request of account 7; 0x01 announced it',
    );
    now.isFrozen = true;
    now.caller = '0x02 froze it';
    await watch.step();
    expect(watch.problem).toBe(
      'frozen: no batch is taken any more, and holders withdraw by proofs; 0x02 froze it',
    );
    now.isFrozen = false;
    now.announcedRequests = [];
    await watch.step();
    expect(watch.problem).toBeUndefined();
  });

  it('asks about no deposit that cannot be announced yet, and about a bounded number of others', async () => {
    const waiting = Array.from({ length: 500 }, () => [undefined, NOW + 900] as const);
    const { watch, asked } = watching({ announcedDeposits: waiting });
    await watch.step();
    expect(asked).toHaveLength(64);
    const later = watching({
      announcedDeposits: [[undefined, NOW + 900], [undefined, NOW + 901], ...waiting],
    });
    await later.watch.step();
    expect(later.asked).toEqual([4, 5]);
  });

  it('asks the contract once about a request, and again about one that the chain does not have yet', async () => {
    const { watch, now } = watching({ unmeasured: [404, 1, 2] });
    expect(await watch.step()).toBe(false);
    expect(now.unmeasured).toEqual([404]);
  });
});
