import { beforeAll, describe, expect, it } from '@jest/globals';
import type { OperationKind } from '@tetrad/rollup-crypto';
import type { Batch } from '../src/batch.js';
import { sumOfProducts } from '../../circuits/test/acir/black-boxes.js';
import { ConstraintSystem } from '../../circuits/test/acir/constraint-system.js';
import type { Opcode } from '../../circuits/test/acir/read-acir.js';
import { isTakenByExecutor } from '../../circuits/test/acir/reference-solver.js';
import { batchOfEachKind } from './batch-of-each-kind.js';
import { forgeriesOf } from './forgeries.js';
import { AttackedCircuits, type AttackedCircuit } from './solved-batch.js';

/** Values changed after the solver, with all that follows from them: a prover need not use the solver. */

let circuits: AttackedCircuits;
let solved: (readonly [kind: OperationKind, batch: Batch, values: bigint[]])[];
beforeAll(async () => {
  circuits = await AttackedCircuits.open();
  solved = await Promise.all(
    [...batchOfEachKind()].map(
      async ([kind, batch]) => [kind, batch, await circuits.of(kind).solve(batch.witness)] as const,
    ),
  );
});

describe('a witness that was changed after it was solved', () => {
  it('violates a constraint whatever is forged, for our evaluation and for the executor of Noir', async () => {
    let count = 0;
    for (const [kind, , values] of solved) {
      const { acir, names, system } = circuits.of(kind);
      for (const { name, changes } of forgeriesOf(kind, names, values)) {
        const attempt = system.attempt(values, changes);
        expect([name, attempt.changed.size > 0, attempt.violated.length]).not.toEqual([name, true, 0]);
        expect([name, attempt.changed.size]).not.toEqual([name, 0]);
        expect([name, await isTakenByExecutor(acir, attempt.values, changes.keys())]).toEqual([name, false]);
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(125);
  });

  it('violates one constraint when signature and challenge are made to fit each other, and is taken without it', async () => {
    const { acir, names, free, system } = circuits.one;
    const values = solved.find(([kind]) => kind === 'outboundTransfer')![2];
    const at = (name: string) => names.get(`operations.0.${name}`) as number;
    const sum = acir.opcodes.find(({ kind }) => kind === 'products') as Extract<Opcode, { kind: 'products' }>;
    const [, , low, high] = sum.scalars as number[];
    const s = [values[at('signature.s.0')], values[at('signature.s.1')]] as bigint[];
    const points = sum.points.map((input) => (typeof input === 'bigint' ? input : (values[input] as bigint)));
    const [x, y] = sumOfProducts(points, [...s, 1n, 0n]) as [bigint, bigint];
    const changes = new Map([
      [at('amount'), 600n] as const,
      [at('to_address'), 1n] as const,
      [at('signature.r.0'), x] as const,
      [at('signature.r.1'), y] as const,
      [low as number, 1n] as const,
      [high as number, 0n] as const,
    ]);
    const { violated, values: forged } = system.attempt(values, changes);
    expect(violated).toHaveLength(1);
    expect(await isTakenByExecutor(acir, forged, changes.keys())).toBe(false);
    const opcodes = acir.opcodes.filter((_, place) => place !== violated[0]);
    const weaker = new ConstraintSystem({ ...acir, opcodes }, free);
    expect(weaker.attempt(values, changes).violated).toEqual([]);
  });

  it('violates a constraint whichever of the values between inputs and claims is another', () => {
    const hintsOf = ({ acir }: AttackedCircuit) =>
      new Set(acir.opcodes.flatMap((opcode) => (opcode.kind === 'hint' ? opcode.outputs : [])));
    const [hintsOfOne, hintsOfTwo] = [hintsOf(circuits.one), hintsOf(circuits.two)];
    let count = 0;
    for (const [kind, , values] of solved) {
      const { acir, system } = circuits.of(kind);
      const hints = circuits.of(kind) === circuits.one ? hintsOfOne : hintsOfTwo;
      for (const [number, value] of values.entries()) {
        // The compiler leaves numbers out.
        if (value === undefined || acir.inputs.includes(number) || hints.has(number)) continue;
        const { violated } = system.attempt(values, new Map([[number, value + 1n]]), 1);
        expect([kind, number, violated.length]).toEqual([kind, number, 1]);
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(3_000);
  });
});
