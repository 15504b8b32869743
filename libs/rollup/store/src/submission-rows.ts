import { asBuffer, type Database } from '@tetrad/db';
import {
  addressFromBytes,
  addressToBytes,
  hashFromBytes,
  hashToBytes,
  type Address,
  type Hash,
} from '@tetrad/types';

export type SubmissionState = 'sent' | 'dropped' | 'reverted' | 'included';

/** A transaction that submits a batch. */
export interface SubmissionRow {
  readonly transactionHash: Hash;
  readonly batchHeight: number;
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

export type NewSubmission = Omit<SubmissionRow, 'state' | 'failure' | 'submittedAt'>;

type Statements = Pick<Database['pool'], 'query'>;

interface RawSubmission {
  readonly transaction_hash: Buffer;
  readonly batch_height: number;
  readonly sender: Buffer;
  readonly nonce: number;
  readonly max_fee: string;
  readonly max_priority_fee: string;
  readonly raw: Buffer;
  readonly state: SubmissionState;
  readonly failure: string | null;
  readonly submitted_at: Date;
}

/** A submission that is stored already stays as it is. */
export async function addSubmission(to: Statements, submission: NewSubmission): Promise<void> {
  const { transactionHash, batchHeight, sender, nonce, maxFee, maxPriorityFee, raw } = submission;
  await to.query({
    name: 'add-submission',
    text: `INSERT INTO submission (transaction_hash, batch_height, sender, nonce, max_fee, max_priority_fee, raw)
           VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
    values: [
      ...[asBuffer(hashToBytes(transactionHash)), batchHeight, asBuffer(addressToBytes(sender)), nonce],
      ...[String(maxFee), String(maxPriorityFee), asBuffer(raw)],
    ],
  });
}

/** All of a batch, oldest first. */
export async function listSubmissions(from: Statements, batchHeight: number): Promise<SubmissionRow[]> {
  const { rows } = await from.query<RawSubmission>({
    name: 'submissions',
    text: `SELECT transaction_hash, batch_height, sender, nonce, max_fee, max_priority_fee, raw, state, failure, submitted_at
             FROM submission WHERE batch_height = $1 ORDER BY submitted_at, transaction_hash`,
    values: [batchHeight],
  });
  return rows.map(toSubmission);
}

export async function changeSubmission(
  to: Statements,
  transactionHash: Hash,
  change: { readonly state: SubmissionState; readonly failure?: string | undefined },
): Promise<void> {
  await to.query({
    name: 'change-submission',
    text: 'UPDATE submission SET state = $2, failure = $3 WHERE transaction_hash = $1',
    values: [asBuffer(hashToBytes(transactionHash)), change.state, change.failure ?? null],
  });
}

function toSubmission(row: RawSubmission): SubmissionRow {
  return {
    ...{ transactionHash: hashFromBytes(row.transaction_hash), batchHeight: row.batch_height },
    ...{ sender: addressFromBytes(row.sender), nonce: row.nonce, raw: row.raw },
    ...{ maxFee: BigInt(row.max_fee), maxPriorityFee: BigInt(row.max_priority_fee) },
    ...{ state: row.state, failure: row.failure ?? undefined, submittedAt: row.submitted_at },
  };
}
