import { FIELD_MODULUS, modulo } from '@tetrad/rollup-crypto';
import type { Acir } from '../../circuits/test/acir/read-acir.js';

/** A witness whose author puts other values where unconstrained code puts the honest ones. */
export interface HintChange {
  readonly name: string;
  /** How many values the unconstrained function gives. */
  readonly outputs: number;
  /** By the number of the value. */
  readonly changes: ReadonlyMap<number, bigint>;
}

const HALF = 2n ** 128n;

/**
 * Changes of hints: each value alone in several ways, and calls as a whole so that what the values are summed up to stays as it is.
 * @param satisfied - all values of the witness
 * @param draw - field elements
 */
export function changedHints(
  { opcodes }: Acir,
  satisfied: readonly bigint[],
  draw: () => bigint,
): HintChange[] {
  return opcodes.flatMap((opcode, place) => {
    if (opcode.kind !== 'hint') return [];
    const { outputs } = opcode;
    const honest = outputs.map((witness) => satisfied[witness] as bigint);
    const named = (
      what: string,
      values: readonly (readonly [index: number, value: bigint])[],
    ): HintChange => ({
      name: `${what} of the hint at ${place}`,
      outputs: outputs.length,
      changes: new Map(
        values.map(([index, value]) => [outputs[index] as number, modulo(value, FIELD_MODULUS)]),
      ),
    });
    const alone = honest.flatMap((value, index) =>
      valuesBeside(value, draw).map((other) => named(`value ${index} changed to ${other}`, [[index, other]])),
    );
    const together = honest.length === 2 ? halves(honest) : honest.length > 2 ? digits(honest) : [];
    const changes = [...alone, ...together.map((values, index) => named(`combination ${index}`, values))];
    return changes.filter(({ changes: values }) =>
      [...values].some(([witness, value]) => satisfied[witness] !== value),
    );
  });
}

/** Other values than the honest one, each once. */
function valuesBeside(value: bigint, draw: () => bigint): bigint[] {
  const tried = [0n, 1n, 2n, value + 1n, value - 1n, -value, value * 2n, draw()];
  return [...new Set(tried.map((each) => modulo(each, FIELD_MODULUS)))].filter((each) => each !== value);
}

type Values = (readonly [index: number, value: bigint])[];

/** Digits that are not of base two, or of another number. */
function digits(honest: readonly bigint[]): Values[] {
  const carried = honest.slice(1).map((next, index): Values => [
    [index, (honest[index] as bigint) + 2n],
    [index + 1, next - 1n],
  ]);
  const all = (value: (digit: bigint, index: number) => bigint): Values =>
    honest.map((digit, index) => [index, value(digit, index)] as const);
  return [
    ...carried,
    all(() => 0n),
    all(() => 1n),
    all((digit) => 1n - digit),
    all((_, index) => honest.at(-1 - index) as bigint),
    // The whole number in the lowest digit.
    all((_, index) => (index > 0 ? 0n : honest.reduceRight((sum, digit) => 2n * sum + digit, 0n))),
  ];
}

/** A scalar as another sum of two halves: of the same element of the field, and of other integers. */
function halves([low = 0n, high = 0n]: readonly bigint[]): Values[] {
  const split = (scalar: bigint): Values => [
    [0, scalar % HALF],
    [1, scalar / HALF],
  ];
  const scalar = low + high * HALF;
  return [
    // Equal in the field, and another scalar of the curve: the order of its group is the larger number.
    split(scalar + FIELD_MODULUS),
    [
      [0, low + HALF],
      [1, high - 1n],
    ],
    [
      [0, low - HALF],
      [1, high + 1n],
    ],
    [
      [0, scalar],
      [1, 0n],
    ],
    [
      [0, high],
      [1, low],
    ],
    split(0n),
    split(FIELD_MODULUS - 1n),
  ];
}
