import { keccakHash } from '@tetrad/crypto';
import { encodeRlp } from '@tetrad/rlp';
import {
  addressFromBytes,
  addressToBytes,
  hashFromBytes,
  hashToBytes,
  type Address,
  type Hash,
  type Log,
} from '@tetrad/types';
import { readState, stateBytes, type ContractState } from '../signed/contract-state.js';
import { fixed, type FixedFields } from '../signed/fixed-fields.js';

/** A private contract that a transaction entered or created, after the block. */
export interface ContractOutcome {
  readonly address: Address;
  /** Undefined when the node does not have the contract. */
  readonly state: ContractState | undefined;
}

/** What a private transaction did on a node. All parties of the transaction have the same. */
export interface TransactionOutcome {
  /** Of the transaction in the block, which may be a marker. */
  readonly hash: Hash;
  readonly status: 0 | 1;
  readonly gasUsed: bigint;
  /** See `logsHash`. */
  readonly logsHash: Hash;
  /** Each address once, in ascending order; see `sortContracts`. */
  readonly contracts: readonly ContractOutcome[];
}

/** Maximum number of contracts that travel with an outcome; of more, the outcome has their hash alone. */
export const MAX_CONTRACTS = 256;

/** An outcome as another party told it: of more than 256 contracts only the hash. */
export interface ToldOutcome extends Omit<TransactionOutcome, 'contracts'> {
  readonly contractsHash: Hash;
  /** How many there are. */
  readonly contractCount: number;
  /** Undefined when there are more than 256. */
  readonly contracts: readonly ContractOutcome[] | undefined;
}

/** Keccak-256 of the RLP of the logs, each as in receipts: [address, [topic, …], data]. */
export function logsHash(logs: readonly Log[]): Hash {
  const items = logs.map(({ address, topics, data }) => [
    addressToBytes(address),
    topics.map(hashToBytes),
    data,
  ]);
  return keccakHash(encodeRlp(items));
}

/** Contracts in the order that outcomes have them in. */
export function sortContracts(contracts: readonly ContractOutcome[]): ContractOutcome[] {
  return [...contracts].sort((a, b) => (a.address < b.address ? -1 : Number(a.address > b.address)));
}

/**
 * Layout: hash (32) ‖ status (1) ‖ gas used (8) ‖ hash of the logs (32) ‖ number of contracts (4) ‖ hash of the contracts (32)
 *
 * @returns keccak256 of it, by which outcomes are compared
 */
export function outcomeDigest(outcome: TransactionOutcome | ToldOutcome): Hash {
  return keccakHash(headBytes(outcome));
}

/**
 * Layout: hash (32) ‖ status (1) ‖ gas used (8) ‖ hash of the logs (32) ‖ number of contracts (4) ‖ hash of the contracts (32) ‖
 *         contracts, at most 256, otherwise none: address (20) ‖ has it (1) ‖ state (104, or zeros)
 */
export function outcomeBytes(outcome: TransactionOutcome): Uint8Array {
  const listed = outcome.contracts.length <= MAX_CONTRACTS ? outcome.contracts : [];
  return Buffer.concat([headBytes(outcome), ...listed.map(contractBytes)]);
}

/**
 * Reads what `outcomeBytes` wrote.
 * @returns undefined where the contracts are not those of the hash, or not in their order
 * @throws RangeError
 */
export function readOutcome(fields: FixedFields): ToldOutcome | undefined {
  const hash = hashFromBytes(fields.take(32));
  const status = Number(fields.bigint(1));
  const gasUsed = fields.bigint(8);
  const logs = hashFromBytes(fields.take(32));
  const contractCount = Number(fields.bigint(4));
  const contractsHash = hashFromBytes(fields.take(32));
  if (status !== 0 && status !== 1) return undefined;
  const outcome = { hash, status, gasUsed, logsHash: logs, contractCount, contractsHash } as const;
  if (contractCount > MAX_CONTRACTS) return { ...outcome, contracts: undefined };
  const contracts = Array.from({ length: contractCount }, () => readContract(fields));
  const isTrue = hashOfContracts(contracts) === contractsHash && isAscending(contracts);
  return isTrue ? { ...outcome, contracts } : undefined;
}

function headBytes(outcome: TransactionOutcome | ToldOutcome): Uint8Array {
  const { contractCount, contractsHash } =
    'contractsHash' in outcome
      ? outcome
      : { contractCount: outcome.contracts.length, contractsHash: hashOfContracts(outcome.contracts) };
  return Buffer.concat([
    hashToBytes(outcome.hash),
    fixed(outcome.status, 1),
    fixed(outcome.gasUsed, 8),
    hashToBytes(outcome.logsHash),
    fixed(contractCount, 4),
    hashToBytes(contractsHash),
  ]);
}

function hashOfContracts(contracts: readonly ContractOutcome[]): Hash {
  return keccakHash(Buffer.concat(contracts.map(contractBytes)));
}

const ABSENT: ContractState = {
  nonce: 0n,
  balance: 0n,
  storageRoot: hashFromBytes(new Uint8Array(32)),
  codeHash: hashFromBytes(new Uint8Array(32)),
};

function contractBytes({ address, state }: ContractOutcome): Uint8Array {
  const has = state === undefined ? 0 : 1;
  return Buffer.concat([addressToBytes(address), fixed(has, 1), stateBytes(state ?? ABSENT)]);
}

/** @throws RangeError also for an absent state that is not zeros, so that one list of contracts has one encoding */
function readContract(fields: FixedFields): ContractOutcome {
  const address = addressFromBytes(fields.take(20));
  const has = Number(fields.bigint(1));
  const state = readState(fields);
  const isZero = Buffer.compare(stateBytes(state), stateBytes(ABSENT)) === 0;
  if (has > 1 || (has === 0 && !isZero)) throw new RangeError('a contract is neither absent nor present');
  return { address, state: has === 1 ? state : undefined };
}

function isAscending(contracts: readonly ContractOutcome[]): boolean {
  return contracts.every(
    ({ address }, index) => index === 0 || (contracts[index - 1]?.address ?? '') < address,
  );
}
