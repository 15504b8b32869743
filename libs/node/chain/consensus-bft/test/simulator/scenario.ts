import type { HeaderFormat } from '../../src/messages/proposed-block.js';
import type { ProposerPolicy } from '../../src/proposer-selection.js';
import type { Malice } from './adversary.js';
import { Random } from './random.js';
import type { NetworkFaults } from './simulated-network.js';

/** What is signed with a stolen key. */
export type StolenKind = 'prepare' | 'commit' | 'roundChange';

/** Everything about a run that is decided before it begins. */
export interface Scenario {
  readonly seed: number;
  readonly validators: 2 | 4 | 7;
  readonly format: HeaderFormat;
  readonly policy: ProposerPolicy;
  /** Numbers of the f faulty nodes and what each does; undefined for silence. */
  readonly adversaries: ReadonlyMap<number, Malice | undefined>;
  readonly network: NetworkFaults;
  /** A node whose key another process has too, which sends messages of far rounds until all is repaired. */
  readonly stolen?: { readonly number: number; readonly kinds: readonly StolenKind[] };
  readonly relays: boolean;
  /** The keys of correct nodes sign elsewhere: later, each time with another signature, and sometimes not at all. */
  readonly elsewhere?: { readonly maxDelayMs: number; readonly fails: number };
  /** Whether correct nodes have a connection to their two neighbours only; they relay then. */
  readonly isRing: boolean;
  /** Probability of a crash at each record that is stored. */
  readonly crashOnPersist: number;
  /** Mean time between crashes of correct nodes and between changes of partitions; 0 for none. */
  readonly crashEveryMs: number;
  readonly partitionEveryMs: number;
  /** When everything is repaired; faulty nodes stay faulty. */
  readonly healsAfterMs: number;
}

/** The run that belongs to the seed. */
export function planScenario(seed: number): Scenario {
  const random = new Random(seed);
  const validators = random.pick([4, 4, 7] as const);
  const faulty = validators === 4 ? 1 : 2;
  const numbers = random.shuffled([...Array(validators).keys()]).slice(0, faulty);
  // One faulty node makes a line of a ring; two would part it.
  const isRing = faulty === 1 && new Random(~seed).chance(0.25);
  return {
    seed,
    validators,
    format: random.pick(['qbft', 'qbft', 'ibft'] as const),
    policy: random.pick(['roundRobin', 'sticky'] as const),
    adversaries: new Map(
      numbers.map((number) => [number, random.chance(0.2) ? undefined : planMalice(random)]),
    ),
    network: {
      loss: random.pick([0, 0.02, 0.1, 0.25]),
      duplication: random.pick([0, 0.1, 0.5]),
      minDelayMs: 1,
      maxDelayMs: random.pick([20, 100, 300, 1_200]),
    },
    relays: random.chance(0.15) || isRing,
    isRing,
    crashOnPersist: random.pick([0, 0, 0.01, 0.05]),
    crashEveryMs: random.pick([0, 0, 4_000, 1_500]),
    partitionEveryMs: random.pick([0, 0, 5_000, 2_000]),
    healsAfterMs: random.integer(3_000, 12_000),
  };
}

function planMalice(random: Random): Malice {
  return {
    votesForEverything: random.chance(0.7),
    liesAboutRounds: random.chance(0.7),
    proposesTwice: random.chance(0.6),
    proposesInvalid: random.chance(0.3),
    forgesReasons: random.chance(0.5),
    sendsGarbage: random.chance(0.3),
  };
}
