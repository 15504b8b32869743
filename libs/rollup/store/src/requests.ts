import type { AcceptedOperation, StoredOperation } from './operation-rows.js';
import type { ProvedHolding } from './proved-holdings.js';
import type { RollupCalls } from './rollup-client.js';

/** Where the event of a request is on the chain. */
export interface RequestPlace {
  readonly blockNumber: number;
  readonly logIndex: number;
}

/** An operation that its holder has asked the contract for, which has verified it. */
export interface StoredRequest extends RequestPlace, AcceptedOperation {
  /** Of the contract's last batch then: a later batch with an operation of the account answers; a credit does not count. */
  readonly height: number;
  readonly proved: ProvedHolding;
  readonly nonce: number;
  readonly tokenId: number;
  readonly amount: bigint;
}

/** What the contract says of a request: when it was made, and the progress of its token at which it has had its share. */
export interface RequestMeasure {
  readonly since: number;
  readonly progress: bigint;
}

/** How far each unit of a token has come, and how many the contract holds. */
export interface TokenProgress {
  readonly tokenId: number;
  readonly progress: bigint;
  readonly held: bigint;
}

/** A request that the next step may execute. */
export interface OpenRequest {
  readonly place: RequestPlace;
  readonly proved: ProvedHolding;
  readonly stored: StoredOperation;
  /** Whether its row was made by this step. */
  readonly isNew: boolean;
}

/** What is open, for those who watch it. */
export interface RequestLoad {
  /** No final batch has answered them. */
  readonly open: number;
  /** Those of them that the operator cannot execute. */
  readonly failing: number;
  /** Unix time at which the first of them is overdue, if as much is held as now; undefined without one that is measured. */
  readonly overdueAt: number | undefined;
}

/** Requests that the contract was not asked about yet, the oldest first. */
export async function listUnmeasured(
  calls: RollupCalls,
  limit: number,
): Promise<(RequestPlace & { readonly accountId: number })[]> {
  const rows = await calls.requestedOperation.findMany({
    where: { answered: false, progress: null },
    select: { blockNumber: true, logIndex: true, accountId: true },
    orderBy: [{ blockNumber: 'asc' }, { logIndex: 'asc' }],
    take: limit,
  });
  return rows.map((row) => ({ ...row, blockNumber: Number(row.blockNumber) }));
}

export async function measureRequest(
  calls: RollupCalls,
  place: RequestPlace,
  { since, progress }: RequestMeasure,
): Promise<void> {
  const data = { since, progress: String(progress) };
  await calls.requestedOperation.updateMany({ where: { ...place }, data });
}

/** Tokens of which something is open. */
export async function listRequestedTokens(calls: RollupCalls): Promise<number[]> {
  const rows = await calls.requestedOperation.groupBy({
    by: ['tokenId'],
    where: { answered: false },
    orderBy: { tokenId: 'asc' },
  });
  return rows.map(({ tokenId }) => tokenId);
}

/** Keeps a request that cannot be executed from being tried in circles, until batches are taken back. */
export async function failRequest(calls: RollupCalls, place: RequestPlace, failure: string): Promise<void> {
  await calls.requestedOperation.updateMany({ where: { ...place }, data: { failure } });
}

/** What could not be executed after batches that are taken back may be now. */
export async function retryRequests(calls: RollupCalls): Promise<void> {
  const where = { answered: false, failure: { not: null } };
  await calls.requestedOperation.updateMany({ where, data: { failure: null } });
}
