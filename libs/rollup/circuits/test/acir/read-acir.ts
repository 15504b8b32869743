import { gunzipSync, gzipSync } from 'node:zlib';
import { MessagePackReader, type Packed } from './message-pack.js';

/** Σ c · a · b + Σ c · a + constant over values of the witness. */
export interface Expression {
  readonly products: readonly (readonly [coefficient: bigint, left: number, right: number])[];
  readonly sums: readonly (readonly [coefficient: bigint, witness: number])[];
  readonly constant: bigint;
}

/** A value of the witness by its number, or a constant. */
export type Input = number | bigint;

export type Opcode =
  | { readonly kind: 'zero'; readonly expression: Expression }
  | { readonly kind: 'range'; readonly input: Input; readonly bits: number }
  | { readonly kind: 'permutation'; readonly inputs: readonly Input[]; readonly outputs: readonly number[] }
  /** Coordinates of two by two, and lower and upper 128 bits of two by two. */
  | {
      readonly kind: 'products';
      readonly points: readonly Input[];
      readonly scalars: readonly Input[];
      readonly outputs: readonly number[];
    }
  /** What unconstrained code computes: the prover may put any values there. */
  | {
      readonly kind: 'hint';
      readonly code: number;
      readonly inputs: readonly Expression[];
      readonly outputs: readonly number[];
    };

/** The constraints of a circuit of one function, as the compiler wrote them. */
export interface Acir {
  readonly opcodes: readonly Opcode[];
  /** Values of the witness in the order of the parameters of `main`, the public ones first. */
  readonly inputs: readonly number[];
  readonly publicInputs: readonly number[];
  /** The same program, gzip, without the calls of unconstrained code, whose values are then given with the inputs. */
  readonly withoutHints: Uint8Array;
}

/** Of serialized programs: MessagePack with lists for records. */
const FORMAT = 3;

/**
 * Reads what the Noir compiler wrote, for circuits of the opcodes that ours have.
 * @param bytecode - of a compiled circuit: base64 of gzip
 * @throws TypeError for any other
 */
export function readAcir(bytecode: string): Acir {
  const bytes = gunzipSync(Buffer.from(bytecode, 'base64'));
  if (bytes[0] !== FORMAT) throw new TypeError(`a program in format ${bytes[0]}`);
  const reader = new MessagePackReader(bytes, 1);
  if (reader.listLength() !== 2 || reader.listLength() !== 1) throw new TypeError('not one function');
  reader.listLength();
  reader.value();
  const listAt = reader.position;
  const count = reader.listLength();
  const [opcodes, kept]: [Opcode[], Uint8Array[]] = [[], []];
  for (let index = 0; index < count; index += 1) {
    const from = reader.position;
    const opcode = opcodeOf(reader.value());
    opcodes.push(opcode);
    if (opcode.kind !== 'hint') kept.push(bytes.subarray(from, reader.position));
  }
  const header = new Uint8Array([0xdc, kept.length >> 8, kept.length & 0xff]);
  const program = [bytes.subarray(0, listAt), header, ...kept, bytes.subarray(reader.position)];
  const [privateInputs, publicInputs] = [numbersOf(reader.value()), numbersOf(reader.value())];
  return {
    opcodes,
    inputs: [...publicInputs, ...privateInputs],
    publicInputs,
    withoutHints: gzipSync(Buffer.concat(program)),
  };
}

function opcodeOf(packed: Packed): Opcode {
  const [name, value] = only(packed);
  if (name === 'AssertZero') return { kind: 'zero', expression: expressionOf(value) };
  if (name === 'BlackBoxFuncCall') return blackBoxOf(value);
  if (name === 'BrilligCall') return hintOf(value);
  throw new TypeError(`the opcode ${name} is not known`);
}

function blackBoxOf(packed: Packed): Opcode {
  const [name, value] = only(packed);
  const [first, second, ...rest] = listOf(value);
  if (name === 'RANGE') return { kind: 'range', input: inputOf(first), bits: Number(second) };
  if (name === 'Poseidon2Permutation')
    return { kind: 'permutation', inputs: inputsOf(first), outputs: numbersOf(second) };
  if (name === 'MultiScalarMul') {
    const [predicate, outputs] = rest;
    assertAlways(inputOf(predicate) === 1n);
    return {
      kind: 'products',
      points: inputsOf(first),
      scalars: inputsOf(second),
      outputs: numbersOf(outputs),
    };
  }
  throw new TypeError(`the function ${name} is not known`);
}

function hintOf(packed: Packed): Opcode {
  const [code, inputs, outputs, predicate] = listOf(packed);
  const { products, sums, constant } = expressionOf(predicate);
  assertAlways(products.length + sums.length === 0 && constant === 1n);
  return {
    kind: 'hint',
    code: Number(code),
    inputs: listOf(inputs).map((input) => {
      const [name, value] = only(input);
      if (name !== 'Single') throw new TypeError(`an input of unconstrained code: ${name}`);
      return expressionOf(value);
    }),
    outputs: listOf(outputs).flatMap((output) => {
      const [name, value] = only(output);
      return name === 'Array' ? numbersOf(value) : [Number(value)];
    }),
  };
}

function assertAlways(isAlways: boolean): void {
  if (!isAlways) throw new TypeError('an opcode under a condition');
}

function expressionOf(packed: Packed | undefined): Expression {
  const [products, sums, constant] = listOf(packed);
  return {
    products: listOf(products).map((term) => {
      const [coefficient, left, right] = listOf(term);
      return [wordOf(coefficient), Number(left), Number(right)] as const;
    }),
    sums: listOf(sums).map((term) => {
      const [coefficient, witness] = listOf(term);
      return [wordOf(coefficient), Number(witness)] as const;
    }),
    constant: wordOf(constant),
  };
}

function inputsOf(packed: Packed | undefined): Input[] {
  return listOf(packed).map(inputOf);
}

function inputOf(packed: Packed | undefined): Input {
  const [name, value] = only(packed);
  return name === 'Witness' ? Number(value) : wordOf(value);
}

function numbersOf(packed: Packed | undefined): number[] {
  return listOf(packed).map(Number);
}

function listOf(packed: Packed | undefined): readonly Packed[] {
  if (!Array.isArray(packed)) throw new TypeError('a list was expected');
  return packed as readonly Packed[];
}

/** A variant of an enumeration: one name with its value. */
function only(packed: Packed | undefined): readonly [name: string, value: Packed] {
  const [entry] = packed instanceof Map ? packed.entries() : [];
  if (entry === undefined) throw new TypeError('a variant was expected');
  return [String(entry[0]), entry[1] as Packed];
}

function wordOf(packed: Packed | undefined): bigint {
  if (!(packed instanceof Uint8Array)) throw new TypeError('a field element was expected');
  return BigInt(`0x0${Buffer.from(packed).toString('hex')}`);
}
