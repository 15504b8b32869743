import { GENERATOR } from '@tetrad/rollup-crypto';
import { NO_CIPHERTEXT, publicInputWords, type PublicInputs } from './public-inputs.js';

/** What only the prover knows of one operation; the fields are those of the circuit, docs in batch/src/operation.nr. */
export interface OperationWitness {
  readonly kind: bigint;
  readonly account_id: bigint;
  readonly public_key: readonly bigint[];
  readonly joint_key: readonly bigint[];
  readonly joint_key_hash: bigint;
  readonly nonce: bigint;
  readonly redemption_index: bigint;
  readonly account_blinding: bigint;
  readonly consent: bigint;
  readonly next_consent: bigint;
  readonly minimum: bigint;
  readonly until_height: bigint;
  readonly consent_secret: bigint;
  readonly direct: bigint;
  readonly account_path: readonly bigint[];
  readonly token_id: bigint;
  readonly balance: bigint;
  readonly balance_path: readonly bigint[];
  readonly from_id: bigint;
  readonly to_id: bigint;
  readonly amount: bigint;
  readonly order_blinding: bigint;
  readonly to_address: bigint;
  readonly total_index: bigint;
  readonly order_path: readonly bigint[];
  readonly batch_path: readonly bigint[];
  readonly ciphertext: readonly bigint[];
  readonly signature: { readonly r: readonly bigint[]; readonly s: readonly bigint[] };
}

export interface BatchWitness {
  readonly publicInputs: PublicInputs;
  readonly accountRoot: bigint;
  readonly historyRoot: bigint;
  readonly historyPath: readonly bigint[];
  readonly operations: readonly OperationWitness[];
  /** Whether it is of the circuit with consents; undefined in what versions without them have stored. */
  readonly hasConsents?: boolean | undefined;
}

const zeros = (count: number) => Array.from({ length: count }, () => 0n);

/** The witness of an operation that does nothing, on which the others are built. */
export const NO_OP_WITNESS: OperationWitness = {
  kind: 0n,
  account_id: 0n,
  // The circuit checks every key, also one that nothing is signed with.
  public_key: [GENERATOR.x, GENERATOR.y],
  joint_key: zeros(4),
  joint_key_hash: 0n,
  nonce: 0n,
  redemption_index: 0n,
  account_blinding: 0n,
  consent: 0n,
  next_consent: 0n,
  minimum: 0n,
  until_height: 0n,
  consent_secret: 0n,
  direct: 0n,
  account_path: zeros(28),
  token_id: 0n,
  balance: 0n,
  balance_path: zeros(8),
  from_id: 0n,
  to_id: 0n,
  amount: 0n,
  order_blinding: 0n,
  to_address: 0n,
  total_index: 0n,
  order_path: zeros(12),
  batch_path: zeros(32),
  ciphertext: NO_CIPHERTEXT,
  signature: { r: zeros(2), s: [1n, 0n] },
};

/** A value of the circuit's interface: field elements as hex text, in lists and records. */
export type CircuitValue = string | CircuitValue[] | { [name: string]: CircuitValue };

/** The arguments of the circuit's `main` by name. */
export function circuitInputs(witness: BatchWitness): Record<string, CircuitValue> {
  const words = publicInputWords(witness.publicInputs);
  const size = witness.operations.length;
  const lists = PUBLIC_LISTS.map((name, index) => {
    const start = PUBLIC_WORDS.length + size * index;
    return [name, words.slice(start, start + size).map(hexWord)] as const;
  });
  return {
    ...Object.fromEntries(PUBLIC_WORDS.map((name, index) => [name, hexWord(words[index] as bigint)])),
    ...Object.fromEntries(lists),
    account_root: hexWord(witness.accountRoot),
    history_root: hexWord(witness.historyRoot),
    history_path: witness.historyPath.map(hexWord),
    operations: witness.operations.map(witness.hasConsents === true ? circuitValue : valueWithoutConsents),
  };
}

/** Public parameters of `main`, in order; then one list each with an item for every operation. */
const PUBLIC_WORDS = [
  'previous_state_root',
  'next_state_root',
  'height',
  'domain',
  'inbound_from',
  'inbound_to',
  'orders_root',
  'ciphertexts',
  'challenge',
  'evaluation',
] as const;
const PUBLIC_LISTS = ['headers', 'addresses', 'leaves', 'orders'] as const;

const hexWord = (word: bigint) => `0x${word.toString(16)}`;

/** The earlier circuit has no such fields. */
function valueWithoutConsents(operation: OperationWitness): CircuitValue {
  const fields = Object.entries(operation).filter(([name]) => !FIELDS_OF_CONSENTS.has(name));
  return circuitValue(Object.fromEntries(fields));
}

const FIELDS_OF_CONSENTS: ReadonlySet<string> = new Set<keyof OperationWitness>([
  'consent',
  'next_consent',
  'minimum',
  'until_height',
  'consent_secret',
  'direct',
] as const);

function circuitValue(value: unknown): CircuitValue {
  if (typeof value === 'bigint') return hexWord(value);
  if (Array.isArray(value)) return value.map(circuitValue);
  return Object.fromEntries(
    Object.entries(value as object).map(([name, item]) => [name, circuitValue(item)]),
  );
}
