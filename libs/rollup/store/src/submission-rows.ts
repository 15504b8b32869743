import { clientBytes } from '@tetrad/db';
import { decodeWord, encodeWord } from '@tetrad/rollup-crypto';
import {
  addressFromBytes,
  addressToBytes,
  hashFromBytes,
  hashToBytes,
  type Address,
  type Hash,
} from '@tetrad/types';
import type { submission } from './generated/tables.js';
import { integerOf, type ReadRow } from './read-row.js';
import type { RollupCalls } from './rollup-client.js';

export type SubmissionState = 'sent' | 'dropped' | 'reverted' | 'included';

/** A transaction that submits a batch. */
export interface StoredSubmission {
  readonly transactionHash: Hash;
  readonly batchHeight: number;
  /**
   * After the batch that it carries: another one than that of the batch at the height shows that the batch was taken back.
   * Undefined of what an earlier version sent.
   */
  readonly stateRoot?: bigint | undefined;
  readonly sender: Address;
  readonly nonce: number;
  /** In wei. */
  readonly maxFee: bigint;
  readonly maxPriorityFee: bigint;
  /** The signed transaction: it is stored before it is sent, and sent again as it is. */
  readonly raw: Uint8Array;
  readonly state: SubmissionState;
  readonly failure: string | undefined;
  readonly submittedAt: Date;
}

export type NewSubmission = Omit<StoredSubmission, 'state' | 'failure' | 'submittedAt'>;

/** What is read of a submission. */
export const SUBMISSION_FIELDS = [
  'transactionHash',
  'batchHeight',
  'stateRoot',
  'sender',
  'nonce',
  'maxFee',
  'maxPriorityFee',
  'raw',
  'state',
  'failure',
  'submittedAt',
] as const;

/** A submission that is stored already stays as it is. */
export async function addSubmission(calls: RollupCalls, submission: NewSubmission): Promise<void> {
  const { transactionHash, batchHeight, stateRoot, sender, nonce, maxFee, maxPriorityFee, raw } = submission;
  const row = {
    batchHeight,
    nonce,
    maxFee: String(maxFee),
    maxPriorityFee: String(maxPriorityFee),
    transactionHash: clientBytes(hashToBytes(transactionHash)),
    stateRoot: stateRoot === undefined ? null : clientBytes(encodeWord(stateRoot)),
    sender: clientBytes(addressToBytes(sender)),
    raw: clientBytes(raw),
  };
  await calls.submission.createMany({ data: [row], skipDuplicates: true });
}

export async function changeSubmission(
  calls: RollupCalls,
  transactionHash: Hash,
  { state, failure }: { readonly state: SubmissionState; readonly failure?: string | undefined },
): Promise<void> {
  await calls.submission.updateMany({
    where: { transactionHash: clientBytes(hashToBytes(transactionHash)) },
    data: { state, failure: failure ?? null },
  });
}

/** The typed row. */
export function parseSubmission(
  row: ReadRow<typeof submission, (typeof SUBMISSION_FIELDS)[number]>,
): StoredSubmission {
  return {
    transactionHash: hashFromBytes(row.transactionHash),
    batchHeight: Number(row.batchHeight),
    stateRoot: row.stateRoot === null ? undefined : decodeWord(row.stateRoot),
    sender: addressFromBytes(row.sender),
    nonce: Number(row.nonce),
    raw: row.raw,
    maxFee: integerOf(row.maxFee),
    maxPriorityFee: integerOf(row.maxPriorityFee),
    state: row.state as SubmissionState,
    failure: row.failure ?? undefined,
    submittedAt: row.submittedAt,
  };
}
