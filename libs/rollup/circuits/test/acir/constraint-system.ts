import { FIELD_MODULUS, invert, modulo } from '@tetrad/rollup-crypto';
import { permute, sumOfProducts } from './black-boxes.js';
import { honestHint } from './hints.js';
import type { Acir, Expression, Input, Opcode } from './read-acir.js';

interface Step {
  readonly opcode: Opcode;
  readonly reads: readonly number[];
  /** Values that follow from the others of the opcode, since nothing before says what they are. */
  readonly defines: ReadonlySet<number>;
}

export interface Attempt {
  /** Places of the opcodes that do not hold. */
  readonly violated: readonly number[];
  /** Values that differ from those that it began with. */
  readonly changed: ReadonlyMap<number, bigint>;
  readonly values: readonly bigint[];
}

/**
 * The constraints of a circuit over the values of a witness, evaluated here: what a prover of whatever kind must satisfy. Values that
 * are forced by others follow them, so that a change has the consequences that its author would give it.
 */
export class ConstraintSystem {
  private readonly steps: readonly Step[];

  /** @param free - values that the author of a witness chooses, besides hints; by default the inputs of the circuit */
  constructor(
    readonly acir: Acir,
    free: readonly number[] = acir.inputs,
  ) {
    const known = new Set(free);
    this.steps = acir.opcodes.map((opcode) => {
      const witnesses = witnessesOf(opcode);
      const defines = new Set(witnesses.filter((witness) => !known.has(witness)));
      if (opcode.kind === 'zero' && defines.size > 1)
        throw new TypeError('an opcode with two unknown values');
      for (const witness of defines) known.add(witness);
      return { opcode, reads: witnesses, defines };
    });
  }

  /** Places of the opcodes that do not hold for these values as they are. */
  violatedBy(values: readonly bigint[]): number[] {
    const places: number[] = [];
    this.steps.forEach(({ opcode }, place) => {
      if (opcode.kind !== 'hint' && !this.holds(opcode, values)) places.push(place);
    });
    return places;
  }

  /**
   * Changes values of a witness that satisfies the constraints, and lets those follow that are forced by them. Hints that are not
   * changed are those of an honest prover for the changed values.
   * @param satisfied - all values
   * @param changes - by number; they stay as they are, whatever is forced
   * @param most - violations after which it ends
   */
  attempt(
    satisfied: readonly bigint[],
    changes: ReadonlyMap<number, bigint>,
    most: number = Infinity,
  ): Attempt {
    const values = [...satisfied];
    const changed = new Map<number, bigint>();
    const set = (witness: number, value: bigint) => {
      if (values[witness] === value) return;
      values[witness] = value;
      changed.set(witness, value);
    };
    for (const [witness, value] of changes) set(witness, value);
    const violated: number[] = [];
    for (const [place, { opcode, reads, defines }] of this.steps.entries()) {
      if (violated.length === most) break;
      if (!reads.some((witness) => changed.has(witness))) continue;
      for (const [witness, value] of this.forced(opcode, defines, values))
        if (!changes.has(witness)) set(witness, value);
      if (opcode.kind !== 'hint' && !this.holds(opcode, values)) violated.push(place);
    }
    return { violated, changed, values };
  }

  /** What the opcode says of values that nothing else has said yet. */
  private forced(
    opcode: Opcode,
    defines: ReadonlySet<number>,
    values: readonly bigint[],
  ): (readonly [number, bigint])[] {
    if (defines.size === 0) return [];
    if (opcode.kind === 'zero') {
      const [witness] = defines as Set<number>;
      const value = solved(opcode.expression, witness as number, values);
      return value === undefined ? [] : [[witness as number, value]];
    }
    if (opcode.kind === 'range') return [];
    const results = resultsOf(opcode, values) ?? [];
    return opcode.outputs.flatMap((witness, index) => {
      const value = results[index];
      return value === undefined || !defines.has(witness) ? [] : [[witness, value] as const];
    });
  }

  private holds(opcode: Exclude<Opcode, { kind: 'hint' }>, values: readonly bigint[]): boolean {
    if (opcode.kind === 'zero') return evaluate(opcode.expression, values) === 0n;
    if (opcode.kind === 'range') return inputOf(opcode.input, values) >> BigInt(opcode.bits) === 0n;
    const results = resultsOf(opcode, values);
    return (
      results !== undefined && opcode.outputs.every((witness, index) => values[witness] === results[index])
    );
  }
}

function resultsOf(
  opcode: Exclude<Opcode, { kind: 'zero' | 'range' }>,
  values: readonly bigint[],
): readonly bigint[] | undefined {
  const read = (input: Input) => inputOf(input, values);
  if (opcode.kind === 'permutation') return permute(opcode.inputs.map(read));
  if (opcode.kind === 'products') return sumOfProducts(opcode.points.map(read), opcode.scalars.map(read));
  return honestHint(
    opcode.inputs.map((expression) => evaluate(expression, values)),
    opcode.outputs.length,
  );
}

const inputOf = (input: Input, values: readonly bigint[]): bigint =>
  typeof input === 'bigint' ? input : (values[input] as bigint);

/** Each once. */
function witnessesOf(opcode: Opcode): number[] {
  const list = (): readonly (number | bigint)[] => {
    switch (opcode.kind) {
      case 'zero':
        return termsOf(opcode.expression);
      case 'range':
        return [opcode.input];
      case 'permutation':
        return [...opcode.inputs, ...opcode.outputs];
      case 'products':
        return [...opcode.points, ...opcode.scalars, ...opcode.outputs];
      case 'hint':
        return [...opcode.inputs.flatMap(termsOf), ...opcode.outputs];
    }
  };
  return [...new Set(list().filter((input) => typeof input === 'number'))];
}

const termsOf = ({ products, sums }: Expression): number[] => [
  ...products.flatMap(([, left, right]) => [left, right]),
  ...sums.map(([, witness]) => witness),
];

function evaluate({ products, sums, constant }: Expression, values: readonly bigint[]): bigint {
  let sum = constant;
  for (const [coefficient, left, right] of products)
    sum += coefficient * modulo((values[left] as bigint) * (values[right] as bigint), FIELD_MODULUS);
  for (const [coefficient, witness] of sums) sum += coefficient * (values[witness] as bigint);
  return modulo(sum, FIELD_MODULUS);
}

/**
 * The value of a witness for which the expression is zero.
 * @returns undefined where it does not matter, or is not one
 */
function solved(expression: Expression, witness: number, values: readonly bigint[]): bigint | undefined {
  let factor = 0n;
  for (const [coefficient, left, right] of expression.products) {
    if (left === witness && right === witness) return undefined;
    if (left === witness) factor += coefficient * (values[right] as bigint);
    if (right === witness) factor += coefficient * (values[left] as bigint);
  }
  for (const [coefficient, each] of expression.sums) if (each === witness) factor += coefficient;
  factor = modulo(factor, FIELD_MODULUS);
  if (factor === 0n) return undefined;
  const rest = evaluate(expression, values) - factor * (values[witness] as bigint);
  return modulo(-rest * invert(factor, FIELD_MODULUS), FIELD_MODULUS);
}
