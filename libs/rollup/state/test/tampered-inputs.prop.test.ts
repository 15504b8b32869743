import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadCircuit, type Circuit } from '@tetrad/rollup-circuits';
import { FIELD_MODULUS, GROUP_ORDER, modulo, type OperationKind } from '@tetrad/rollup-crypto';
import fc from 'fast-check';
import { isTakenBySolver } from '../../circuits/test/acir/reference-solver.js';
import { batchOfEachKind, placeOf, sizeOf } from './batch-of-each-kind.js';
import { AttackedCircuits, type AttackedCircuit } from './solved-batch.js';
import { UNUSED_INPUTS, fieldOfInput } from './unused-inputs.js';

/** Inputs of the circuit that are others than in an honest batch. `TETRAD_ROLLUP_ATTACKS=all` draws thousands. */
const RUNS = process.env['TETRAD_ROLLUP_ATTACKS'] === 'all' ? 6_000 : 240;
const KINDS = Object.keys(UNUSED_INPUTS) as OperationKind[];

/**
 * What the contract computes itself, for kinds that the circuit needs it of: a polynomial without a text is zero at every challenge,
 * and where nothing is signed nothing is signed for a domain.
 */
const OF_THE_CONTRACT: Readonly<Record<string, readonly OperationKind[]>> = {
  challenge: ['outboundTransfer', 'inboundTransfer', 'noOp'],
  domain: ['inboundTransfer', 'noOp'],
};
const isUnused = (kind: OperationKind, field: string) =>
  UNUSED_INPUTS[kind].includes(field) || (OF_THE_CONTRACT[field] ?? []).includes(kind);

let circuits: AttackedCircuits;
const built = new Map<1 | 2, Circuit>();
const solved = new Map<OperationKind, bigint[]>();
beforeAll(async () => {
  circuits = await AttackedCircuits.open();
  for (const size of [1, 2] as const) built.set(size, await loadCircuit(size));
  for (const [kind, { witness }] of batchOfEachKind())
    solved.set(kind, await circuits.of(kind).solve(witness));
});

/** Inputs of an operation and of its batch by their fields, so that a path of 28 words is drawn as often as an amount. */
function fieldsOf({ names }: AttackedCircuit, place: number): ReadonlyMap<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const name of names.keys()) {
    const isOther = name.startsWith('operations.') && !name.startsWith(`operations.${place}.`);
    const field = fieldOfInput(name);
    if (!isOther) fields.set(field, [...(fields.get(field) ?? []), name]);
  }
  return fields;
}

/** What a word is replaced by. */
const replacement = fc.oneof(
  fc.constantFrom<((value: bigint, other: bigint) => bigint)[]>(
    () => 0n,
    () => 1n,
    (value) => value + 1n,
    (value) => value - 1n,
    (value) => -value,
    (value) => 2n * value,
    (value) => value + 2n ** 32n,
    (value) => value + 2n ** 64n,
    (value) => value + 2n ** 128n,
    (value) => value + GROUP_ORDER,
    (_, other) => other,
  ),
  fc.bigInt({ min: 0n, max: FIELD_MODULUS - 1n }).map((word) => () => word),
);

describe('a tampered input', () => {
  it('is refused by the solver of the circuit, unless the kind has no use for it', async () => {
    const refused = new Map<string, number>();
    const draws = fc.record({
      kind: fc.constantFrom(...KINDS),
      field: fc.nat(),
      word: fc.nat(),
      other: fc.nat(),
      replacement,
    });
    await fc.assert(
      fc.asyncProperty(draws, async ({ kind, replacement: replace, ...places }) => {
        const values = solved.get(kind) as bigint[];
        const circuit = circuits.of(kind);
        const fields = fieldsOf(circuit, placeOf(kind));
        const field = [...fields.keys()][places.field % fields.size] as string;
        const words = fields.get(field) as string[];
        const number = circuit.names.get(words[places.word % words.length] as string) as number;
        const value = values[number] as bigint;
        const changed = modulo(
          replace(value, values[places.other % circuit.names.size] as bigint),
          FIELD_MODULUS,
        );
        fc.pre(changed !== value);
        const inputs = values.slice(0, circuit.names.size).with(number, changed);
        const isTaken = await isTakenBySolver((built.get(sizeOf(kind)) as Circuit).bytecode, inputs);
        if (!isTaken) refused.set(`${kind} ${field}`, (refused.get(`${kind} ${field}`) ?? 0) + 1);
        expect([kind, field, isTaken && !isUnused(kind, field)]).toEqual([kind, field, false]);
      }),
      { numRuns: RUNS },
    );
    const count = [...refused.values()].reduce((sum, each) => sum + each, 0);
    expect(count).toBeGreaterThan(77);
    for (const kind of KINDS) expect([...refused.keys()].some((name) => name.startsWith(kind))).toBe(true);
  }, 1_200_000);
});
