import { beforeAll, describe, expect, it } from '@jest/globals';
import { FIELD_MODULUS } from '@tetrad/rollup-crypto';
import { seededRandom } from '@tetrad/testkit';
import { ConstraintSystem, type Attempt } from '../../circuits/test/acir/constraint-system.js';
import type { Acir } from '../../circuits/test/acir/read-acir.js';
import { isTakenByExecutor } from '../../circuits/test/acir/reference-solver.js';
import type { Batch } from '../src/batch.js';
import { RandomRollup } from '../src/testing/random-rollup.js';
import { batchOfEachKind } from './batch-of-each-kind.js';
import { changedHints, type HintChange } from './changed-hints.js';
import { AttackedCircuits } from './solved-batch.js';

/**
 * What a prover may put where unconstrained code of the compiler puts the honest values. `TETRAD_ROLLUP_ATTACKS=all` asks Noir's
 * executor about each change; otherwise it is asked about one in so many.
 */
const ALL = process.env['TETRAD_ROLLUP_ATTACKS'] === 'all';
const ONE_IN = ALL ? 1 : 97;
const MINUTE = 60_000;

const random = seededRandom(40);
const draw = () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n % FIELD_MODULUS;

let circuits: AttackedCircuits;
beforeAll(async () => {
  circuits = await AttackedCircuits.open();
});

interface Tried {
  readonly change: HintChange;
  readonly attempt: Attempt;
}

function tryHints(acir: Acir, system: ConstraintSystem, satisfied: readonly bigint[]): Tried[] {
  expect(system.violatedBy(satisfied)).toEqual([]);
  return changedHints(acir, satisfied, draw).map((change) => ({
    change,
    attempt: system.attempt(satisfied, change.changes, 1),
  }));
}

const takenOf = (tried: readonly Tried[]) => tried.filter(({ attempt }) => attempt.violated.length === 0);

/** What is taken changes one value, and no claim or other value follows: the inverse of a difference that is zero. */
function hasNoEffect({ change, attempt }: Tried): boolean {
  return change.changes.size === 1 && attempt.changed.size === 1;
}

async function agreeWithExecutor(acir: Acir, tried: readonly Tried[]): Promise<number> {
  for (const { change, attempt } of tried) {
    const isTaken = await isTakenByExecutor(acir, attempt.values, []);
    expect([change.name, isTaken]).toEqual([change.name, attempt.violated.length === 0]);
  }
  return tried.length;
}

describe('a changed hint', () => {
  it(
    'violates a constraint in a batch of any kind, or has no effect on public inputs and other values',
    async () => {
      let [count, asked] = [0, 0];
      for (const [kind, { witness }] of batchOfEachKind()) {
        const circuit = circuits.of(kind);
        const { acir, system } = circuit;
        const tried = tryHints(acir, system, await circuit.solve(witness));
        expect(takenOf(tried).filter((each) => !hasNoEffect(each))).toEqual([]);
        // Each number but one is compared with the kind, and account 0 with the account.
        expect(takenOf(tried).length).toBeGreaterThan(0);
        count += tried.length;
        const some = tried.filter(
          ({ attempt }, place) => place % ONE_IN === 0 || attempt.violated.length === 0,
        );
        asked += await agreeWithExecutor(acir, some);
      }
      expect(count).toBeGreaterThan(3_693);
      expect(asked).toBeGreaterThanOrEqual(count / ONE_IN);
    },
    (ALL ? 30 : 4) * MINUTE,
  );

  (ALL ? it : it.skip)(
    'violates a constraint in random batches of two, or has no effect',
    async () => {
      const { acir, system } = circuits.two;
      const rollup = new RandomRollup(seededRandom(41), 2, { hasConsents: true });
      let count = 0;
      for (let batch = 0; batch < 20; batch += 1) {
        const { witness } = await rollup.step(async () => undefined);
        const tried = tryHints(acir, system, await circuits.two.solve(witness));
        expect(takenOf(tried).filter((each) => !hasNoEffect(each))).toEqual([]);
        await agreeWithExecutor(
          acir,
          tried.filter((_, place) => place % 20 === 0),
        );
        count += tried.length;
      }
      expect(count).toBeGreaterThan(20_000);
    },
    30 * MINUTE,
  );

  it('has an effect where a constraint is missing, so that the tests above can fail', async () => {
    const { acir, free } = circuits.one;
    const { witness } = batchOfEachKind().get('outboundTransfer') as Batch;
    const satisfied = await circuits.one.solve(witness);
    const opcodes = acir.opcodes.filter(({ kind }) => kind !== 'range');
    const weaker = new ConstraintSystem({ ...acir, opcodes }, free);
    const effects = takenOf(tryHints(acir, weaker, satisfied)).filter((each) => !hasNoEffect(each));
    expect(effects.length).toBeGreaterThan(40);
  });
});
