import { keccak256 } from '@tetrad/crypto';
import {
  CIPHERTEXT_WORDS,
  FIELD_MODULUS,
  decodeWord,
  encodeWords,
  hashWords,
  modulo,
  operationKinds,
  type OperationKind,
} from '@tetrad/rollup-crypto';

/** The public part of one operation of a batch. */
export interface PublicOperation {
  readonly kind: OperationKind;
  /** The account whose leaf changes, or that a deposit is for; 0 for none. */
  readonly accountId: number;
  /** Token id of transfers in and out; 0 otherwise. */
  readonly tokenId: number;
  readonly amount: bigint;
  /** Who is paid by an outbound transfer; 0 otherwise. */
  readonly toAddress: bigint;
  /** The leaf afterwards; 0 when no account is touched. */
  readonly leaf: bigint;
  /** Hash of the created money order; 0 for none. */
  readonly order: bigint;
}

/** The public inputs of a proof. The contract computes them from its own state and the submitted batch. */
export interface PublicInputs {
  readonly previousStateRoot: bigint;
  readonly nextStateRoot: bigint;
  readonly height: number;
  readonly domain: bigint;
  /** Index of the first deposit that the batch could take, and that of the next batch. */
  readonly inboundFrom: number;
  readonly inboundTo: number;
  readonly ordersRoot: bigint;
  readonly ciphertexts: CiphertextBinding;
  readonly operations: readonly PublicOperation[];
}

/**
 * Binds the ciphertexts that are published to those that were signed, without hashing them by Poseidon2 on the chain: the
 * circuit knows the commitment's words, the contract the published ones, and both evaluate them as a polynomial at a
 * point that neither could choose (docs/adr/0091).
 */
export interface CiphertextBinding {
  /** `H(H(words of each operation))`, one hash for each operation. */
  readonly commitment: bigint;
  /** `keccak256(commitment(32) ‖ words(32 each))` modulo the field. */
  readonly challenge: bigint;
  /** word₀ · challenge^(k−1) + … + word_{k−1} */
  readonly evaluation: bigint;
}

/** @param words - for each operation of the batch, padding included, its 15 words */
export function bindCiphertexts(words: readonly (readonly bigint[])[]): CiphertextBinding {
  const commitment = hashWords(words.map((each) => hashWords(each)));
  const published = words.flat();
  const digest = keccak256(encodeWords([commitment, ...published]));
  const challenge = decodeWord(digest) % FIELD_MODULUS;
  const evaluation = published.reduce((sum, word) => modulo(sum * challenge + word, FIELD_MODULUS), 0n);
  return { commitment, challenge, evaluation };
}

/** `kind(8) ‖ account(32) ‖ token(32) ‖ amount(64)` */
export function operationHeader({ kind, accountId, tokenId, amount }: PublicOperation): bigint {
  const place = (BigInt(operationKinds[kind]) << 32n) | BigInt(accountId);
  return (((place << 32n) | BigInt(tokenId)) << 64n) | amount;
}

/**
 * The other way round.
 * @throws RangeError for a kind that there is not
 */
export function parseOperationHeader(
  header: bigint,
): Pick<PublicOperation, 'kind' | 'accountId' | 'tokenId' | 'amount'> {
  const kind = kinds.find((name) => BigInt(operationKinds[name]) === header >> 128n);
  if (kind === undefined) throw new RangeError(`${header >> 128n} is not a kind of operation`);
  const accountId = Number((header >> 96n) & 0xffff_ffffn);
  return {
    kind,
    accountId,
    tokenId: Number((header >> 64n) & 0xffff_ffffn),
    amount: header & (2n ** 64n - 1n),
  };
}

const kinds = Object.keys(operationKinds) as OperationKind[];

/** The words in the order of the circuit's parameters, which is also that of the verifier. */
export function publicInputWords(inputs: PublicInputs): bigint[] {
  const { ciphertexts, operations } = inputs;
  return [
    inputs.previousStateRoot,
    inputs.nextStateRoot,
    BigInt(inputs.height),
    inputs.domain,
    BigInt(inputs.inboundFrom),
    BigInt(inputs.inboundTo),
    inputs.ordersRoot,
    ciphertexts.commitment,
    ciphertexts.challenge,
    ciphertexts.evaluation,
    ...operations.map(operationHeader),
    ...operations.map(({ toAddress }) => toAddress),
    ...operations.map(({ leaf }) => leaf),
    ...operations.map(({ order }) => order),
  ];
}

/** Fifteen zeros: what is published of an operation without a ciphertext. */
export const NO_CIPHERTEXT: readonly bigint[] = Array.from({ length: CIPHERTEXT_WORDS }, () => 0n);
