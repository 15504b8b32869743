import { acvm } from '@noir-lang/noir_js';
import { encodeWord } from '@tetrad/rollup-crypto';
import { hexFromBytes } from '@tetrad/types';
import type { Acir } from './read-acir.js';

/**
 * Whether Noir's own executor takes a witness of which the author chose inputs and hints: it computes all others, and checks them.
 * @param values - of an attempt
 * @param chosen - by their numbers, besides inputs and hints
 */
export async function isTakenByExecutor(
  { inputs, opcodes, withoutHints }: Acir,
  values: readonly bigint[],
  chosen: Iterable<number>,
): Promise<boolean> {
  const hints = opcodes.flatMap((opcode) => (opcode.kind === 'hint' ? opcode.outputs : []));
  const given = new Set([...inputs, ...hints, ...chosen]);
  const initial = new Map(
    [...given].map((number) => [number, hexFromBytes(encodeWord(values[number] as bigint)) as string]),
  );
  try {
    await acvm.executeProgram(withoutHints, initial, () => Promise.reject(new Error('no foreign calls')));
    return true;
  } catch (error) {
    if (!/Assertion failed|Cannot satisfy|Failed to solve blackbox function/.test((error as Error).message))
      throw error;
    return false;
  }
}

/**
 * Whether Noir's executor finds a witness for these inputs, all in the order of `main`.
 * @param bytecode - base64 of gzip
 */
export async function isTakenBySolver(bytecode: string, inputs: readonly bigint[]): Promise<boolean> {
  const initial = new Map(inputs.map((value, number) => [number, hexFromBytes(encodeWord(value)) as string]));
  return acvm
    .executeProgram(Buffer.from(bytecode, 'base64'), initial, () =>
      Promise.reject(new Error('no foreign calls')),
    )
    .then(
      () => true,
      () => false,
    );
}
