import {
  addressFromBytes,
  addressToBytes,
  hashFromBytes,
  hashToBytes,
  type Address,
  type Hash,
} from '@tetrad/types';
import type { PrismaClient } from './generated/client.js';
import type { DepositRow } from './sequence-step.js';

/** A block of the chain under the rollup. */
export interface ChainBlockRow {
  readonly number: number;
  readonly hash: Hash;
}

export interface TokenRow {
  readonly tokenId: number;
  /** Zeros for ether. */
  readonly address: Address;
  /** Base units of the token in one unit of the rollup. */
  readonly unit: bigint;
}

/** What the contract's events up to a block say; every item with the block it is in. */
export interface ChainEvents {
  readonly tokens: readonly (TokenRow & { readonly blockNumber: number })[];
  readonly deposits: readonly (DepositRow & { readonly sender: Address; readonly blockNumber: number })[];
  readonly requests: readonly OutboundRequestRow[];
}

export interface OutboundRequestRow {
  readonly blockNumber: number;
  readonly logIndex: number;
  readonly accountId: number;
  readonly recipient: Address;
  readonly tokenId: number;
  readonly amount: bigint;
  /** Unix time in seconds. */
  readonly overdueAt: number;
}

/** Blocks that are kept behind the cursor, to find where a chain forked. */
const KEPT_BLOCKS = 1_000n;

/** The latest blocks that were read, newest first; the first is the cursor. */
export async function listChainBlocks(prisma: PrismaClient, limit: number): Promise<ChainBlockRow[]> {
  const rows = await prisma.chainBlock.findMany({ orderBy: { number: 'desc' }, take: limit });
  return rows.map(({ number, hash }) => ({ number: Number(number), hash: hashFromBytes(hash) }));
}

/**
 * Stores what a range of blocks says together with the cursor behind it, in one transaction. What is there already is
 * left as it is, so a range may be read twice.
 */
export async function advanceChain(
  prisma: PrismaClient,
  events: ChainEvents,
  blocks: readonly ChainBlockRow[],
): Promise<void> {
  const last = BigInt(Math.max(...blocks.map(({ number }) => number)));
  await prisma.$transaction([
    ...eventStatements(prisma, events),
    prisma.chainBlock.createMany({
      data: blocks.map(({ number, hash }) => ({
        number: BigInt(number),
        hash: Buffer.from(hashToBytes(hash)),
      })),
      skipDuplicates: true,
    }),
    prisma.chainBlock.deleteMany({ where: { number: { lt: last - KEPT_BLOCKS } } }),
  ]);
}

/** Stores events of blocks that are still being read; the cursor stays, so that they come again. */
export async function addChainEvents(prisma: PrismaClient, events: ChainEvents): Promise<void> {
  await prisma.$transaction(eventStatements(prisma, events));
}

/** Events stored before the cursor got there may be of blocks that were replaced since: they are written again. */
function eventStatements(prisma: PrismaClient, events: ChainEvents) {
  return [
    prisma.$executeRaw`DELETE FROM token WHERE block_number > (SELECT max(number) FROM chain_block)`,
    prisma.$executeRaw`DELETE FROM deposit WHERE block_number > (SELECT max(number) FROM chain_block)
                          AND batch_height IS NULL`,
    prisma.$executeRaw`DELETE FROM outbound_request WHERE block_number > (SELECT max(number) FROM chain_block)`,
    prisma.token.createMany({ data: events.tokens.map(tokenData), skipDuplicates: true }),
    prisma.deposit.createMany({ data: events.deposits.map(depositData), skipDuplicates: true }),
    prisma.outboundRequest.createMany({ data: events.requests.map(requestData), skipDuplicates: true }),
  ];
}

/**
 * Forgets blocks above a number and what they said, after a reorganization. A deposit that is in a batch stays: then the
 * batch has to be taken back first (`SequenceStep.rewind`).
 *
 * Out: false, and nothing is changed, when a batch has taken one of the deposits
 */
export async function rewindChain(prisma: PrismaClient, toNumber: number): Promise<boolean> {
  return prisma.$transaction(async (transaction) => {
    const blockNumber = { gt: BigInt(toNumber) };
    const taken = await transaction.deposit.count({ where: { blockNumber, batchHeight: { not: null } } });
    if (taken > 0) return false;
    await transaction.deposit.deleteMany({ where: { blockNumber } });
    await transaction.token.deleteMany({ where: { blockNumber } });
    await transaction.outboundRequest.deleteMany({ where: { blockNumber } });
    await transaction.chainBlock.deleteMany({ where: { number: blockNumber } });
    return true;
  });
}

export async function listTokens(prisma: PrismaClient): Promise<TokenRow[]> {
  const rows = await prisma.token.findMany({ orderBy: { tokenId: 'asc' } });
  return rows.map(({ tokenId, address, unit }) => ({
    ...{ tokenId, address: addressFromBytes(address), unit: BigInt(unit.toFixed(0)) },
  }));
}

/** Requests whose time is over at a moment, in the order of the chain. */
export async function listOverdueRequests(
  prisma: PrismaClient,
  atSeconds: number,
  limit: number,
): Promise<OutboundRequestRow[]> {
  const rows = await prisma.outboundRequest.findMany({
    where: { overdueAt: { lte: BigInt(atSeconds) } },
    orderBy: [{ blockNumber: 'asc' }, { logIndex: 'asc' }],
    take: limit,
  });
  return rows.map((row) => ({
    ...{ blockNumber: Number(row.blockNumber), logIndex: row.logIndex, accountId: row.accountId },
    ...{ recipient: addressFromBytes(row.recipient), tokenId: row.tokenId },
    ...{ amount: BigInt(row.amount.toFixed(0)), overdueAt: Number(row.overdueAt) },
  }));
}

function tokenData({ tokenId, address, unit, blockNumber }: ChainEvents['tokens'][number]) {
  return { tokenId, address: bytes(address), unit: String(unit), blockNumber: BigInt(blockNumber) };
}

function depositData(deposit: ChainEvents['deposits'][number]) {
  const { accountId, tokenId, amount, sender, blockNumber } = deposit;
  return {
    ...{ index: BigInt(deposit.index), accountId, tokenId, amount: String(amount), sender: bytes(sender) },
    blockNumber: BigInt(blockNumber),
  };
}

function requestData(request: OutboundRequestRow) {
  return {
    ...{ blockNumber: BigInt(request.blockNumber), logIndex: request.logIndex, accountId: request.accountId },
    ...{ recipient: bytes(request.recipient), tokenId: request.tokenId, amount: String(request.amount) },
    overdueAt: BigInt(request.overdueAt),
  };
}

const bytes = (address: Address) => Buffer.from(addressToBytes(address));
