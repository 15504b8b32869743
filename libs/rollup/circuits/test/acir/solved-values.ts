import { gunzipSync, gzipSync } from 'node:zlib';
import { acvm } from '@noir-lang/noir_js';
import { encodeWord } from '@tetrad/rollup-crypto';
import { hexFromBytes } from '@tetrad/types';

/**
 * The values of a witness by their numbers.
 * @param witness - as `BatchProver.execute` gives it
 */
export function readValues(witness: Uint8Array): bigint[] {
  const [item] = acvm.decompressWitnessStack(gzipSync(witness));
  const values: bigint[] = [];
  for (const [number, value] of item?.witness ?? []) values[number] = BigInt(value);
  return values;
}

/** The other way round: as `bb` reads them. The compiler leaves numbers out. */
export function writeValues(values: readonly bigint[]): Uint8Array {
  const witness = new Map<number, string>();
  for (const [number, value] of values.entries())
    if (value !== undefined) witness.set(number, hexFromBytes(encodeWord(value)));
  return gunzipSync(acvm.compressWitnessStack([{ index: 0, witness }]));
}
