import { clientBytes, type Database } from '@tetrad/db';
import { addressFromBytes, addressToBytes } from '@tetrad/types';
import type { ChainBlock, ChainEvents, FrozenRollup, OutboundRequest } from './chain-events.js';
import { advanceCursor, forgetBeyondCursor } from './hot/advance-cursor.js';
import { insertDeposits } from './hot/insert-deposits.js';
import { insertRequested } from './hot/insert-requested.js';
import { insertRequests } from './hot/insert-requests.js';
import { lockHead } from './hot/read-head.js';
import { settleRequested } from './hot/settle-requested.js';
import { integerOf } from './read-row.js';
import { callsOn, type RollupCalls, type RollupClient } from './rollup-client.js';
import type { Statements } from './statements.js';

/**
 * Stores what a range of blocks says together with the cursor behind it, in one transaction. What is there already is
 * left as it is, so a range may be read twice.
 */
export async function advanceChain(
  database: Database,
  events: ChainEvents,
  blocks: readonly ChainBlock[],
): Promise<void> {
  await database.transaction(async (statements) => {
    await writeEvents(statements, events);
    await settleRequested(statements, events.batches ?? []);
    await advanceCursor(statements, blocks);
  });
}

/** Stores events of blocks that are still being read; the cursor stays, so that they come again. */
export async function addChainEvents(database: Database, events: ChainEvents): Promise<void> {
  await database.transaction((statements) => writeEvents(statements, events));
}

/** Events stored before the cursor got there may be of blocks that were replaced since: they are written again. */
async function writeEvents(statements: Statements, events: ChainEvents): Promise<void> {
  const { tokens, deposits, requests, requested = [], frozen } = events;
  await keepDeposits(statements);
  await forgetBeyondCursor(statements);
  await insertTokens(statements, tokens);
  await insertDeposits(statements, deposits);
  await insertRequests(statements, requests);
  await insertRequested(statements, requested);
  await insertFrozen(statements, frozen);
}

/** What is there already stays as it is. */
async function insertTokens(statements: Statements, tokens: ChainEvents['tokens']): Promise<void> {
  if (tokens.length === 0) return;
  const calls = await callsOn(statements);
  await calls.token.createMany({ data: tokens.map(writtenToken), skipDuplicates: true });
}

async function insertFrozen(statements: Statements, frozen: FrozenRollup | undefined): Promise<void> {
  if (frozen === undefined) return;
  const calls = await callsOn(statements);
  await calls.frozenRollup.createMany({ data: [{ id: 1, ...frozen }], skipDuplicates: true });
}

/** Until the transaction ends, no batch takes a deposit that may be deleted here. */
const keepDeposits = (statements: Statements) => lockHead(statements);

/**
 * Forgets blocks above a number and what they said, after a reorganization. A deposit that is in a batch stays: then the
 * batch has to be taken back first (`SequenceStep.rewind`).
 * @returns false, and nothing is changed, when a batch has taken one of the deposits
 */
export function rewindChain(client: RollupClient, toNumber: number): Promise<boolean> {
  return client.transaction(async (calls, statements) => {
    await keepDeposits(statements);
    const above = { blockNumber: { gt: toNumber } };
    const taken = await calls.deposit.findFirst({
      where: { ...above, batchHeight: { not: null } },
      select: { index: true },
    });
    if (taken !== null) return false;
    await calls.deposit.deleteMany({ where: above });
    await calls.token.deleteMany({ where: above });
    await calls.outboundRequest.deleteMany({ where: above });
    await calls.requestedOperation.deleteMany({ where: above });
    await calls.frozenRollup.deleteMany({ where: above });
    await calls.chainBlock.deleteMany({ where: { number: { gt: toNumber } } });
    return true;
  });
}

/** Requests whose time is over at a moment, in the order of the chain. */
export async function listOverdueRequests(
  calls: RollupCalls,
  atSeconds: number,
  limit: number,
): Promise<OutboundRequest[]> {
  const rows = await calls.outboundRequest.findMany({
    where: { overdueAt: { lte: atSeconds } },
    orderBy: [{ blockNumber: 'asc' }, { logIndex: 'asc' }],
    take: limit,
  });
  return rows.map(({ blockNumber, recipient, amount, overdueAt, ...row }) => ({
    ...row,
    blockNumber: Number(blockNumber),
    recipient: addressFromBytes(recipient),
    amount: integerOf(amount),
    overdueAt: Number(overdueAt),
  }));
}

function writtenToken({ tokenId, address, unit, blockNumber }: ChainEvents['tokens'][number]) {
  return { tokenId, address: clientBytes(addressToBytes(address)), unit: String(unit), blockNumber };
}
