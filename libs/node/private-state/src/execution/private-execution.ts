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
import { applySharedStates } from '../extension/apply-shared-states.js';
import type { PendingExtensions } from '../extension/pending-extensions.js';
import type { SharedStates } from '../extension/shared-states.js';
import type { PendingMetadata } from '../metadata/privacy-metadata.js';
import { payloadHashOf, type PayloadHash } from '../payload/payload-hash.js';
import type { PayloadAnswer, PayloadSource, PrivatePayload } from '../payload/payload-source.js';
import { checkContracts } from './check-contracts.js';
import { privateReceipt, type PrivateReceipt } from './private-receipt.js';
import { runPrivateMessage } from './run-private-message.js';
import type { StorageRoots } from './state-validation-root.js';
import { TwoWorlds } from './two-worlds.js';

/** What private executions of one block have in common. */
export interface PrivateExecutionParts {
  readonly context: ExecutionContext;
  /** Both worlds have one journal. The public one is as it is before the transaction, and stays so. */
  readonly publicWorld: TwoWorlds['publicWorld'];
  readonly privateWorld: TwoWorlds['privateWorld'];
  readonly payloads: PayloadSource;
  readonly metadata: PendingMetadata;
  readonly roots: StorageRoots;
  readonly sharedStates: SharedStates;
  readonly extensions: PendingExtensions;
  /** Whether privacy flags other than 0 are in force in the block. */
  readonly hasPrivacyEnhancements: boolean;
}

/** What was executed: a private transaction, or a restricted one. */
export type Executed = Pick<SignedTransaction, 'hash' | 'raw' | 'sender'>;

/** Where what was executed came from. */
export interface PayloadOrigin extends Pick<PrivatePayload, 'sender' | 'managedParties'> {
  readonly hash: PayloadHash;
}

/** What became of a private transaction on this node. */
export type PrivateOutcome =
  | {
      readonly kind: 'party';
      readonly transaction: Executed;
      readonly receipt: PrivateReceipt;
      /** Absent for a restricted transaction. */
      readonly origin?: PayloadOrigin;
    }
  /** Others see what everybody sees. */
  | { readonly kind: 'notParty' }
  /** This node may be a party, and does not know; nothing has changed. */
  | { readonly kind: 'paused'; readonly reason: string };

/**
 * Executes a private transaction over both worlds and makes its private changes final.
 *
 * Fails: whatever a source fails with; nothing has changed then
 * Source: privacy-and-extension.md, sections 2 and 3
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
 * In:  payload — undefined for a creation by others, which leaves an account with nonce 1 and nothing else here
 * Out: why it cannot be done now, as text; nothing has changed then
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
    return privateReceipt({ logs: [], output: new Uint8Array(0), failure }, contractAddress);
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
    // What did not count has returned nothing.
    const output = difference === undefined ? outcome.output : new Uint8Array(0);
    return privateReceipt({ logs, output, failure }, contractAddress);
  } catch (error) {
    journal.revert(start);
    journal.next();
    throw error;
  }
}

/** Makes what the private world became final. An account of the public one may be touched, but is not changed by that. */
function settle({ privateWorld }: TwoWorlds, { fork }: ExecutionContext): void {
  const { journal } = privateWorld;
  journal.touched = journal.touched.filter(({ world }) => world === privateWorld);
  endTransaction(journal, rulesOf(fork));
}

/** Every contract that the transaction created gets its flag, those of factories too. */
function remember(
  { metadata }: PrivateExecutionParts,
  { affected, privateWorld }: TwoWorlds,
  { payload, transaction }: { payload: PrivatePayload; transaction: SignedTransaction },
): void {
  const { privacyFlag } = payload;
  const creation = payloadHashOf(transaction.data);
  if (privacyFlag === 0 || creation === undefined) return;
  const created = [...affected].flatMap(([address, by]) => (by === 'creation' ? [address] : []));
  const standing = created.filter((address) => privateWorld.account(address)?.exists === true);
  metadata.add(standing.map(addressFromWord), { creation, privacyFlag });
}

/** A private transaction that this node is a party to, and where it stands. */
export interface PrivateResult {
  /** In the block. */
  readonly index: number;
  /** Of the transaction that stands in the block. */
  readonly hash: Hash;
  /** What was executed: the transaction itself, or the one behind a marker. */
  readonly transaction: Executed;
  readonly receipt: PrivateReceipt;
  /** Absent for a restricted transaction. */
  readonly origin?: PayloadOrigin;
}
