import { operationHeader, type PublicInputs } from '@tetrad/rollup-circuits';
import { addressFromBytes, bytesFromScalar, type Address } from '@tetrad/types';
import type { PublishedOperations } from './batch-operations.js';

/** The submitted and published data of a batch. */
export interface PublishedBatch extends PublishedOperations {
  readonly nextStateRoot: bigint;
  readonly ordersRoot: bigint;
  readonly ciphertextCommitment: bigint;
}

/**
 * @param inputs - what the circuit proves
 * @param ciphertexts - the words that the circuit proves the commitment of
 */
export function publishedBatch(
  inputs: PublicInputs,
  ciphertexts: readonly (readonly bigint[])[],
): PublishedBatch {
  const { operations } = inputs;
  return {
    nextStateRoot: inputs.nextStateRoot,
    ordersRoot: inputs.ordersRoot,
    ciphertextCommitment: inputs.ciphertexts.commitment,
    headers: operations.map(operationHeader),
    recipients: operations.map(({ toAddress }) => addressOf(toAddress)),
    leaves: operations.map(({ leaf }) => leaf),
    orders: operations.map(({ order }) => order),
    ciphertexts: ciphertexts.flat(),
  };
}

function addressOf(word: bigint): Address {
  const bytes = bytesFromScalar(word);
  return addressFromBytes(Uint8Array.from([...new Uint8Array(20 - bytes.length), ...bytes]));
}
