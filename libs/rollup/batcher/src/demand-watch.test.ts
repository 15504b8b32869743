import { describe, expect, it } from '@jest/globals';
import { DemandWatch, type WatchParts } from './demand-watch.js';

const terms = { stallTimeoutSeconds: 3_600, requestsPerTimeout: 40, depositsPerTimeout: 400, tokens: 1 };
const NOW = 1_000_000;

interface Seen {
  rules: 'turns' | 'freeze';
  isFrozen: boolean;
  depositAt: number | undefined;
  requestAt: number | undefined;
  failing: number;
  /** Accounts whose requests the contract was not asked about. */
  unmeasured: number[];
}

function watching(seen: Partial<Seen> = {}) {
  const now: Seen = {
    ...{ rules: 'freeze', isFrozen: false, depositAt: undefined, requestAt: undefined, failing: 0 },
    ...{ unmeasured: [], ...seen },
  };
  const rules: string[] = [];
  const parts: WatchParts = {
    reader: {
      exitRules: async () => now.rules,
      latestBlock: async () => ({ number: 7, timestamp: NOW }),
      servingTerms: async () => terms,
      isFrozen: async () => now.isFrozen,
      depositOverdueAt: async () => now.depositAt,
      request: async (id) => (id === 404 ? undefined : { since: NOW - id, progress: BigInt(id) }),
      progressOf: async () => 5n,
      held: async () => 100n,
    },
    store: {
      changeExitRules: async (said) => void rules.push(said),
      listUnmeasured: async () =>
        now.unmeasured.map((accountId) => ({ accountId, blockNumber: accountId, logIndex: 0 })),
      measureRequest: async ({ blockNumber }) =>
        void now.unmeasured.splice(now.unmeasured.indexOf(blockNumber), 1),
      listRequestedTokens: async () => [0],
      readRequestLoad: async () => ({ open: 1, failing: now.failing, overdueAt: now.requestAt }),
    },
  };
  return { now, rules, watch: new DemandWatch(parts) };
}

describe('the watch over what holders demand', () => {
  it('says nothing of a contract with turns', async () => {
    const { watch, rules } = watching({ rules: 'turns' });
    expect(watch.freezes).toBeUndefined();
    expect(await watch.step()).toBe(false);
    expect([watch.freezes, watch.demands, watch.served, watch.problem]).toEqual([
      ...[false, undefined, undefined, undefined],
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

  it('asks the contract once about a request, and again about one that the chain does not have yet', async () => {
    const { watch, now } = watching({ unmeasured: [404, 1, 2] });
    expect(await watch.step()).toBe(false);
    expect(now.unmeasured).toEqual([404]);
  });
});
