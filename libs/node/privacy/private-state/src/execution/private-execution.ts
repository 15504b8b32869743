import {
  addressFromWord,
  contractAddressOf,
  endTransaction,
  rulesOf,
  toLog,
  wordFromAddress,
  type ExecutionContext,
} from '@tetrad/node-evm';
import type { Hash, SignedTransaction } from '@tetrad/types';
import { applySharedStates, type SharingParts } from '../extension/apply-shared-states.js';
import type { PendingExtensions } from '../extension/pending-extensions.js';
import type { SharedStates } from '../extension/shared-states.js';
import type { PendingMetadata } from '../metadata/privacy-metadata.js';
import { payloadHashOf, type PayloadHash } from '../payload/payload-hash.js';
import type { PayloadAnswer, PayloadSource, PrivatePayload } from '../payload/payload-source.js';
import { checkContracts, enteredContracts } from './check-contracts.js';
import { privateReceipt, type PrivateReceipt } from './private-receipt.js';
import { runPrivateMessage } from './run-private-message.js';
import type { StorageRoots } from './state-validation-root.js';
import { TwoWorlds } from './two-worlds.js';

/** Dependencies that private executions of one block share. */
export interface PrivateExecutionParts {
  readonly context: ExecutionContext;
  /** The public world before the transaction, which is not changed. Both worlds share one journal. */
  readonly publicWorld: TwoWorlds['publicWorld'];
  readonly privateWorld: TwoWorlds['privateWorld'];
  readonly payloads: PayloadSource;
  readonly metadata: PendingMetadata;
  readonly roots: StorageRoots;
  readonly sharedStates: SharedStates;
  readonly extensions: PendingExtensions;
  readonly check?: SharingParts['check'];
  /** Whether privacy flags other than 0 are in force in the block. */
  readonly hasPrivacyEnhancements: boolean;
}

/** The executed transaction: a private or a restricted one. */
export type Executed = Pick<SignedTransaction, 'hash' | 'raw' | 'sender'>;

/** The payload of an executed transaction: its hash, its sender and the parties that this node's manager has. */
export interface PayloadOrigin extends Pick<PrivatePayload, 'sender' | 'managedParties'> {
  readonly hash: PayloadHash;
}

/** The outcome of a private transaction on this node. */
export type PrivateOutcome =
  | {
      readonly kind: 'party';
      readonly transaction: Executed;
      readonly receipt: PrivateReceipt;
      /** Absent for a restricted transaction. */
      readonly origin?: PayloadOrigin;
    }
  /** The node is not a party: the transaction has its public effects only. */
  | { readonly kind: 'notParty' }
  /** The node does not know whether it is a party; nothing has changed. */
  | { readonly kind: 'paused'; readonly reason: string };

/**
 * Executes a private transaction over both worlds and makes its private changes final.
 *
 * Source: docs/spec/private-transactions.md#two-worlds and #privacy-flags
 *
 * @throws whatever a source fails with; nothing has changed then
 */
export async function executePrivateTransaction(
  parts: PrivateExecutionParts,
  transaction: SignedTransaction,
): Promise<PrivateOutcome> {
  const hash = payloadHashOf(transaction.data);
  const answer: PayloadAnswer = hash === undefined ? { kind: 'notParty' } : await parts.payloads.find(hash);
  if (answer.kind === 'unavailable') return { kind: 'paused', reason: answer.reason };
  if (hash === undefined || answer.kind === 'notParty') {
    if (transaction.to === undefined) await run(parts, transaction, undefined);
    return { kind: 'notParty' };
  }
  const { payload } = answer;
  const { sender, managedParties } = payload;
  if (payload.privacyFlag !== 0 && !parts.hasPrivacyEnhancements) {
    const reason = `privacy enhanced transaction while privacy enhancements are not in force: payload ${hash}`;
    return { kind: 'paused', reason };
  }
  const receipt = await run(parts, transaction, payload);
  if (typeof receipt === 'string') return { kind: 'paused', reason: receipt };
  return { kind: 'party', transaction, receipt, origin: { hash, sender, managedParties } };
}

/**
 * @param payload - undefined for a creation that this node is not a party to, which leaves an account with nonce 1 only
 * @returns the reason as text when it is impossible now; nothing has changed then
 */
async function run(
  parts: PrivateExecutionParts,
  transaction: SignedTransaction,
  payload: PrivatePayload | undefined,
): Promise<PrivateReceipt | string> {
  const { context, publicWorld, privateWorld } = parts;
  const contractAddress =
    transaction.to === undefined
      ? contractAddressOf(wordFromAddress(transaction.sender), transaction.nonce)
      : undefined;
  if (payload?.privacyFlag === 3 && payload.executionRoot === undefined) {
    const failure = 'privacy metadata has empty MR for stateValidation flag';
    const nothing = { logs: [], output: new Uint8Array(0), gasUsed: 0, entered: [] };
    return privateReceipt({ ...nothing, failure }, contractAddress);
  }
  const { journal } = privateWorld;
  const start = journal.checkpoint();
  const worlds = new TwoWorlds(publicWorld, privateWorld);
  try {
    const data = payload?.data ?? new Uint8Array(0);
    const outcome = await runPrivateMessage(context, transaction, { data, worlds });
    const difference =
      payload === undefined || !parts.hasPrivacyEnhancements
        ? undefined
        : await checkContracts(worlds, payload, parts);
    if (difference !== undefined) journal.revert(start);
    const failure = difference ?? outcome.failure;
    const logs = journal.logs.map(toLog);
    if (payload !== undefined && failure === undefined) {
      remember(parts, worlds, { payload, transaction });
      const obstacle = await applySharedStates(parts, logs);
      if (obstacle !== undefined) {
        journal.revert(start);
        journal.next();
        return obstacle;
      }
    }
    settle(worlds, context);
    const { gasUsed } = outcome;
    const entered = enteredContracts(worlds);
    // An invalid execution has no return data.
    const output = difference === undefined ? outcome.output : new Uint8Array(0);
    return privateReceipt({ logs, output, failure, gasUsed, entered }, contractAddress);
  } catch (error) {
    journal.revert(start);
    journal.next();
    throw error;
  }
}

/** Makes the changes of the private world final. An account of the public world may be touched, which does not change it. */
function settle({ privateWorld }: TwoWorlds, { fork }: ExecutionContext): void {
  const { journal } = privateWorld;
  journal.touched = journal.touched.filter(({ world }) => world === privateWorld);
  endTransaction(journal, rulesOf(fork));
}

/** Stores the flag of every contract that the transaction created, contracts made by factories included. */
function remember(
  { metadata }: PrivateExecutionParts,
  { affected, privateWorld }: TwoWorlds,
  { payload, transaction }: { payload: PrivatePayload; transaction: SignedTransaction },
): void {
  const { privacyFlag } = payload;
  const creation = payloadHashOf(transaction.data);
  if (privacyFlag === 0 || creation === undefined) return;
  const created = [...affected].flatMap(([address, by]) => (by === 'creation' ? [address] : []));
  const remaining = created.filter((address) => privateWorld.account(address)?.exists === true);
  metadata.add(remaining.map(addressFromWord), { creation, privacyFlag });
}

/** A private transaction that this node is a party to, and where it stands. */
export interface PrivateResult {
  /** In the block. */
  readonly index: number;
  /** Hash of the transaction in the block. */
  readonly hash: Hash;
  /** What was executed: the transaction itself, or the one behind a marker. */
  readonly transaction: Executed;
  readonly receipt: PrivateReceipt;
  /** Absent for a restricted transaction. */
  readonly origin?: PayloadOrigin;
}
