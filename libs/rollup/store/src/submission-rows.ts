import {
  addressFromBytes,
  addressToBytes,
  hashFromBytes,
  hashToBytes,
  type Address,
  type Hash,
} from '@tetrad/types';
import type { PrismaClient, Submission } from './generated/client.js';

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

export async function addSubmission(prisma: PrismaClient, submission: NewSubmission): Promise<void> {
  await prisma.submission.createMany({
    data: {
      transactionHash: Buffer.from(hashToBytes(submission.transactionHash)),
      batchHeight: BigInt(submission.batchHeight),
      sender: Buffer.from(addressToBytes(submission.sender)),
      nonce: BigInt(submission.nonce),
      maxFee: String(submission.maxFee),
      maxPriorityFee: String(submission.maxPriorityFee),
      raw: Buffer.from(submission.raw),
    },
    skipDuplicates: true,
  });
}

/** All of a batch, oldest first. */
export async function listSubmissions(prisma: PrismaClient, batchHeight: number): Promise<SubmissionRow[]> {
  const rows = await prisma.submission.findMany({
    where: { batchHeight: BigInt(batchHeight) },
    orderBy: [{ submittedAt: 'asc' }, { transactionHash: 'asc' }],
  });
  return rows.map(toSubmission);
}

export async function changeSubmission(
  prisma: PrismaClient,
  transactionHash: Hash,
  change: { readonly state: SubmissionState; readonly failure?: string | undefined },
): Promise<void> {
  await prisma.submission.updateMany({
    where: { transactionHash: Buffer.from(hashToBytes(transactionHash)) },
    data: { state: change.state, failure: change.failure ?? null },
  });
}

function toSubmission(row: Submission): SubmissionRow {
  return {
    ...{ transactionHash: hashFromBytes(row.transactionHash), batchHeight: Number(row.batchHeight) },
    ...{ sender: addressFromBytes(row.sender), nonce: Number(row.nonce), raw: row.raw },
    ...{ maxFee: BigInt(row.maxFee.toFixed(0)), maxPriorityFee: BigInt(row.maxPriorityFee.toFixed(0)) },
    ...{
      state: row.state as SubmissionState,
      failure: row.failure ?? undefined,
      submittedAt: row.submittedAt,
    },
  };
}
