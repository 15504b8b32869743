import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { keccakHash } from '@tetrad/crypto';
import { ManagerAwayError } from '../src/exchange/send-statements.js';
import { statedIn } from '../src/statement/block-statement.js';
import { SimulatedParties, nameOf, type SimulatedParty } from './simulated-parties.js';

const COUNT = 3;
const party = fc.nat(COUNT - 1);

/** What happens to parties, besides their work. */
type Step =
  | { readonly kind: 'mine'; readonly pairs: readonly (readonly [number, number])[] }
  | {
      readonly kind: 'work' | 'restart' | 'lose' | 'back-up' | 'restore' | 'repeat' | 'compare';
      readonly party: number;
    };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('mine' as const),
    pairs: fc.array(fc.tuple(party, party), { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constantFrom(
      'work' as const,
      'work' as const,
      'work' as const,
      'restart' as const,
      'lose' as const,
      'back-up' as const,
      'restore' as const,
      'repeat' as const,
      'compare' as const,
    ),
    party,
  }),
);

/** Runs the steps; at the end all parties have been at work for days. */
async function run(steps: readonly Step[], alter?: (network: SimulatedParties) => void) {
  const network = new SimulatedParties(COUNT);
  // All have shared something, and stated it.
  for (const one of network.parties) await one.work();
  network.mine([
    [0, 1],
    [1, 2],
    [2, 0],
  ]);
  for (const one of network.parties) await one.work();
  const backups = network.parties.map(({ store }) => store.copy());
  alter?.(network);
  for (const next of steps) {
    network.nowMs += 1_000;
    if (next.kind === 'mine') {
      network.mine(next.pairs);
      continue;
    }
    const one = network.parties[next.party];
    if (one === undefined) continue;
    if (next.kind === 'work') await one.work();
    if (next.kind === 'restart') one.restart(one.store);
    if (next.kind === 'compare') await one.compareSince(1);
    if (next.kind === 'lose') one.inbox = [];
    if (next.kind === 'back-up') backups[next.party] = one.store.copy();
    if (next.kind === 'restore') one.restart(backups[next.party]?.copy() ?? one.store);
    if (next.kind === 'repeat') one.inbox.push(...one.inbox.slice(0, 3));
  }
  await network.rest();
  return network;
}

const steps = fc.array(step, { maxLength: 60 });

describe('parties with equal results', () => {
  it('agree on every block in the end, whatever is lost, repeated, restarted or restored', () =>
    fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const { parties } = await run(all);
        for (const one of parties) expect([...one.store.blocks.values()]).toEqual([]);
      }),
      { numRuns: 60 },
    ));

  it('never sign two digests under one revision', () =>
    fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const { parties } = await run(all);
        for (const { sent } of parties) {
          const signed = sent.filter(({ kind }) => kind.endsWith('statement') || kind.endsWith('reply'));
          const stated = new Map<string, string>();
          for (const { to, body } of signed) {
            const { blockHash, revision, digest } = statedIn(body);
            const name = `${to} ${blockHash} ${revision}`;
            expect(stated.get(name) ?? digest).toBe(digest);
            stated.set(name, digest);
          }
        }
      }),
      { numRuns: 30 },
    ));

  it('cost one statement each way for a block', async () => {
    const network = await run([
      { kind: 'mine', pairs: [[0, 1]] },
      { kind: 'work', party: 0 },
      { kind: 'work', party: 1 },
      { kind: 'work', party: 0 },
    ]);
    const [first, second] = network.parties;
    for (const one of [first, second]) {
      const sent = one?.sent.filter(({ to }) => to === (one === first ? second : first)?.key) ?? [];
      expect(sent.map(({ body }) => body.length)).toEqual([298, 298]);
    }
  });
});

describe('a manager', () => {
  it.each(['full', 'unsupported'] as const)(
    'that says %s keeps its node from nothing else',
    async (outcome) => {
      const network = new SimulatedParties(COUNT);
      const [first, second, third] = network.parties as [SimulatedParty, SimulatedParty, SimulatedParty];
      for (const one of network.parties) await one.work();
      second.outcome = outcome;
      network.mine([
        [0, 1],
        [2, 0],
      ]);
      for (let round = 0; round < 4; round++) for (const one of network.parties) await one.work();
      expect([...first.store.blocks.values()].map(({ other, state }) => [other, state])).toEqual([
        [second.key, 'pending'],
      ]);
      expect(third.store.blocks.size).toBe(0);
      expect([...second.store.pairs.values()].map(({ carriesMessages }) => carriesMessages)).toEqual([
        outcome === 'full',
      ]);
      second.outcome = 'accepted';
      await network.rest();
      for (const one of network.parties) expect(one.store.blocks.size).toBe(0);
    },
  );
});

describe('a manager that is gone while it gets messages of several blocks', () => {
  it('is not given again what it took, and gets the others once it is back', async () => {
    const network = new SimulatedParties(2);
    const [first, second] = network.parties as [SimulatedParty, SimulatedParty];
    for (const one of network.parties) await one.work();
    for (let block = 0; block < 3; block++) network.mine([[0, 1]]);
    let given = 0;
    first.isAway = () => ++given > 1;
    await expect(first.work()).rejects.toThrow(ManagerAwayError);
    expect(given).toBe(3);
    expect(first.sent).toHaveLength(1);
    first.isAway = () => false;
    await first.work();
    expect(new Set(first.sent.map(({ body }) => keccakHash(body))).size).toBe(3);
    expect(first.sent).toHaveLength(3);
    await network.rest();
    for (const one of [first, second]) expect(one.store.blocks.size).toBe(0);
  });
});

describe('a party with another result', () => {
  it('is found at both ends, with the transaction, whatever is lost or restarted', () =>
    fc.assert(
      fc.asyncProperty(steps, fc.nat(1), fc.boolean(), async (all, at, isMissing) => {
        // The one after the three of the beginning.
        const wrong = nameOf(3);
        const network = await run([{ kind: 'mine', pairs: [[0, 1]] }, ...all], ({ parties }) =>
          (isMissing ? parties[at]?.missing : parties[at]?.altered)?.add(wrong),
        );
        const transaction = keccakHash(Buffer.from(wrong));
        for (const index of [0, 1]) {
          const rows = [...(network.parties[index]?.store.blocks.values() ?? [])];
          expect(rows.map(({ state, ...row }) => [state, row.transaction])).toEqual([
            ['diverged', transaction],
          ]);
        }
        expect([...(network.parties[2]?.store.blocks.values() ?? [])]).toEqual([]);
      }),
      { numRuns: 60 },
    ));
});
