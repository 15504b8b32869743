import type { Address, Hash, SignedTransaction } from '@tetrad/types';
import { addressFromWord } from '@tetrad/node-evm';
import { extensionChanges } from '../extension/extension-changes.js';
import type { TransactionIntent, MayTransact, TransactionPlace } from '@tetrad/node-execution';
import { payloadHashOf, type PayloadHash } from '../payload/payload-hash.js';
import type { PayloadAnswer, PayloadSource } from '../payload/payload-source.js';
import { transactionBehind, type DecodeTransaction } from './marked-transaction.js';
import {
  executePrivateTransaction,
  type PrivateExecutionParts,
  type PrivateOutcome,
  type PrivateResult,
} from './private-execution.js';
import { executeRestricted } from '../restricted/execute-restricted.js';
import { readRestricted } from '../restricted/restricted-transaction.js';

/** The recipient of marker transactions. Source: docs/spec/private-transactions.md#marker-transactions */
export const PRIVACY_PRECOMPILE = addressFromWord(0x7a);

export interface PrivateBlockParts extends PrivateExecutionParts {
  readonly decode: DecodeTransaction;
  readonly chainId: bigint;
  /** Whether marker transactions are in force in the block. */
  readonly hasMarkers: boolean;
  /**
   * Applies the public effects of the transaction, which are the same on every node, to the public world. Called where a private execution
   * needs what came before it, so never at a node that is no party to any.
   */
  readonly executePublicly: (transaction: SignedTransaction) => Promise<unknown>;
  /**
   * Whether the sender may send the transaction behind a marker; blocks are validated by the marker alone. Evaluated on the
   * state before the block, so that all parties agree; absent on a chain without permissions.
   */
  readonly isPermitted?: ((inner: TransactionIntent) => Promise<boolean>) | undefined;
}

export type PrivateBlockOutcome =
  | { readonly kind: 'executed'; readonly results: readonly PrivateResult[] }
  | { readonly kind: 'paused'; readonly transaction: Hash; readonly reason: string };

/** Whether following the block takes more than its header. */
export function hasPrivateWork(
  transactions: readonly SignedTransaction[],
  { isPrivate, hasMarkers }: PrivateKinds,
): boolean {
  return transactions.some((transaction) => isPrivate(transaction) || isMarker(transaction, hasMarkers));
}

/** Payloads that the block's transactions carry, in their order; a transaction behind a marker may carry one more. */
export function carriedPayloads(
  transactions: readonly SignedTransaction[],
  kinds: PrivateKinds,
): PayloadHash[] {
  return transactions.flatMap((transaction) =>
    hasPrivateWork([transaction], kinds) ? (payloadHashOf(transaction.data) ?? []) : [],
  );
}

export interface PrivateKinds {
  readonly isPrivate: (transaction: SignedTransaction) => boolean;
  readonly hasMarkers: boolean;
}

/**
 * Executes the private transactions of a block, each on the public state before it.
 * @param parts.publicWorld - after the parent block; afterwards it is at the last private transaction that this node executed
 * @returns results of the transactions that this node is a party to, in their order; the private world is after the
 *   block
 * @throws whatever a source fails with
 */
export async function executePrivateBlock(
  parts: PrivateBlockParts,
  transactions: readonly SignedTransaction[],
  isPrivate: PrivateKinds['isPrivate'],
): Promise<PrivateBlockOutcome> {
  const kinds = { isPrivate, hasMarkers: parts.hasMarkers };
  const results: PrivateResult[] = [];
  const publicly = new PublicPart(parts, transactions);
  for (const [index, transaction] of transactions.entries()) {
    if (!hasPrivateWork([transaction], kinds)) continue;
    // A creation leaves an account at every node.
    if (transaction.to === undefined) await publicly.reach(index);
    const execute = isPrivate(transaction) ? executePrivateTransaction : executeMarked;
    const outcome = await execute({ ...parts, payloads: publicly.payloadsAt(index) }, transaction, isPrivate);
    if (outcome.kind === 'paused') {
      return { kind: 'paused', transaction: transaction.hash, reason: outcome.reason };
    }
    if (outcome.kind === 'party') {
      const { transaction: executed, receipt, origin } = outcome;
      const own = { index, hash: transaction.hash, transaction: executed, receipt };
      const result = origin === undefined ? own : { ...own, origin };
      results.push(result);
      parts.extensions.note(extensionChanges([result]));
    }
  }
  return { kind: 'executed', results };
}

/** Executes the public transactions of a block, as far as a private one that this node is a party to needs them. */
class PublicPart {
  private next = 0;

  constructor(
    private readonly parts: Pick<PrivateBlockParts, 'payloads' | 'executePublicly'>,
    private readonly transactions: readonly SignedTransaction[],
  ) {}

  /** Executes all before the place. */
  async reach(index: number): Promise<void> {
    for (; this.next < index; this.next += 1)
      await this.parts.executePublicly(this.transactions[this.next] as SignedTransaction);
  }

  /** The payloads, each of which is found once the public world is at the place. */
  payloadsAt(index: number): PayloadSource {
    return {
      find: async (hash) => {
        const answer = await this.parts.payloads.find(hash);
        if (answer.kind === 'payload') await this.reach(index);
        return answer;
      },
    };
  }
}

/** Whether it is a marker, behind which a private transaction may be. */
export function isMarker({ to }: SignedTransaction, hasMarkers: boolean): boolean {
  return hasMarkers && (to as Address | undefined) === PRIVACY_PRECOMPILE;
}

/**
 * Executes the private transaction behind a marker, if this node is a party and both have the same sender and nonce. A
 * transaction that is not permitted has no effect (docs/adr/0156).
 */
async function executeMarked(
  parts: PrivateBlockParts,
  marker: SignedTransaction,
  isPrivate: PrivateKinds['isPrivate'],
): Promise<PrivateOutcome> {
  const hash = payloadHashOf(marker.data);
  const answer: PayloadAnswer = hash === undefined ? { kind: 'notParty' } : await parts.payloads.find(hash);
  if (answer.kind === 'unavailable') return { kind: 'paused', reason: answer.reason };
  if (answer.kind === 'notParty') return answer;
  const restricted = readRestricted(answer.payload.data, parts.chainId);
  const isPermitted = parts.isPermitted ?? (() => Promise.resolve(true));
  if (restricted !== undefined) {
    if (!(await isPermitted(restricted))) return { kind: 'notParty' };
    return executeRestricted(parts, marker, { restricted, payload: answer.payload });
  }
  const marked = transactionBehind(marker, answer.payload.data, parts.decode);
  if (marked === undefined || !isPrivate(marked) || !(await isPermitted(marked))) return { kind: 'notParty' };
  return executePrivateTransaction(parts, marked);
}

/**
 * The permission check of marked transactions of a block.
 * @param mayTransact - undefined where every account may transact
 */
export function innerPermission(
  mayTransact: MayTransact | undefined,
  place: TransactionPlace,
): PrivateBlockParts['isPermitted'] {
  return mayTransact && (async (inner) => (await mayTransact(inner, place)) === undefined);
}
