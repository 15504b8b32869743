import type { BatchWitness } from '@tetrad/rollup-circuits';

/** What a batch is proved with, and what is published with the proof. */
export interface ProvingInput {
  readonly witness: BatchWitness;
  /** For each operation of the batch its 15 words. */
  readonly ciphertexts: readonly (readonly bigint[])[];
}

/** JSON with field elements as text of hex digits behind `0x`; it holds no other text that begins so. */
export function encodeProvingInput(input: ProvingInput): Uint8Array {
  const text = JSON.stringify(input, (_, value: unknown) =>
    typeof value === 'bigint' ? `0x${value.toString(16)}` : value,
  );
  return Buffer.from(text, 'utf8');
}

/** @param bytes - what `encodeProvingInput` made, of our own database */
export function decodeProvingInput(bytes: Uint8Array): ProvingInput {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return JSON.parse(text, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith('0x') ? BigInt(value) : value,
  ) as ProvingInput;
}
