import { asBuffer, byteaArray, type Database } from '@tetrad/db';
import {
  addressFromBytes,
  addressToBytes,
  hashFromBytes,
  hashToBytes,
  type Address,
  type Hash,
} from '@tetrad/types';
import type { PoolClient } from 'pg';
import { lockHead } from './sequence-head.js';
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

type Statements = Pick<Database['pool'], 'query'>;

interface RawToken {
  readonly token_id: number;
  readonly address: Buffer;
  readonly unit: string;
}

interface RawRequest {
  readonly block_number: number;
  readonly log_index: number;
  readonly account_id: number;
  readonly recipient: Buffer;
  readonly token_id: number;
  readonly amount: string;
  readonly overdue_at: number;
}

/** Blocks that are kept behind the cursor, to find where a chain forked. */
const KEPT_BLOCKS = 1_000;

/** The latest blocks that were read, newest first; the first is the cursor. */
export async function listChainBlocks(from: Statements, limit: number): Promise<ChainBlockRow[]> {
  const { rows } = await from.query<{ number: number; hash: Buffer }>({
    name: 'chain-blocks',
    text: 'SELECT number, hash FROM chain_block ORDER BY number DESC LIMIT $1',
    values: [limit],
  });
  return rows.map(({ number, hash }) => ({ number, hash: hashFromBytes(hash) }));
}

/**
 * Stores what a range of blocks says together with the cursor behind it, in one transaction. What is there already is
 * left as it is, so a range may be read twice.
 */
export async function advanceChain(
  database: Database,
  events: ChainEvents,
  blocks: readonly ChainBlockRow[],
): Promise<void> {
  const numbers = blocks.map(({ number }) => number);
  await database.transaction(async (client) => {
    await writeEvents(client, events);
    await client.query({
      name: 'add-chain-blocks',
      text: `INSERT INTO chain_block (number, hash)
             SELECT * FROM unnest($1::bigint[], $2::bytea[]) ON CONFLICT DO NOTHING`,
      values: [numbers, byteaArray(blocks.map(({ hash }) => hashToBytes(hash)))],
    });
    await client.query({
      name: 'forget-chain-blocks',
      text: 'DELETE FROM chain_block WHERE number < $1',
      values: [Math.max(...numbers) - KEPT_BLOCKS],
    });
  });
}

/** Stores events of blocks that are still being read; the cursor stays, so that they come again. */
export async function addChainEvents(database: Database, events: ChainEvents): Promise<void> {
  await database.transaction((client) => writeEvents(client, events));
}

const INSERT_TOKENS = `
  INSERT INTO token (token_id, address, unit, block_number)
  SELECT token_id, decode(address, 'hex'), unit, block_number
    FROM json_to_recordset($1::json) AS new (token_id int, address text, unit numeric, block_number bigint)
  ON CONFLICT DO NOTHING`;
const INSERT_DEPOSITS = `
  INSERT INTO deposit (index, account_id, token_id, amount, sender, block_number)
  SELECT index, account_id, token_id, amount, decode(sender, 'hex'), block_number
    FROM json_to_recordset($1::json) AS new (index bigint, account_id int, token_id int, amount numeric, sender text,
         block_number bigint)
  ON CONFLICT DO NOTHING`;
const INSERT_REQUESTS = `
  INSERT INTO outbound_request (block_number, log_index, account_id, recipient, token_id, amount, overdue_at)
  SELECT block_number, log_index, account_id, decode(recipient, 'hex'), token_id, amount, overdue_at
    FROM json_to_recordset($1::json) AS new (block_number bigint, log_index int, account_id int, recipient text,
         token_id int, amount numeric, overdue_at bigint)
  ON CONFLICT DO NOTHING`;

/** Events stored before the cursor got there may be of blocks that were replaced since: they are written again. */
async function writeEvents(client: PoolClient, { tokens, deposits, requests }: ChainEvents): Promise<void> {
  await keepDeposits(client);
  const beyond = 'WHERE block_number > (SELECT max(number) FROM chain_block)';
  await client.query(`DELETE FROM token ${beyond}`);
  await client.query(`DELETE FROM deposit ${beyond} AND batch_height IS NULL`);
  await client.query(`DELETE FROM outbound_request ${beyond}`);
  const inserted = [
    { name: 'add-tokens', text: INSERT_TOKENS, rows: tokens.map(writtenToken) },
    { name: 'add-deposits', text: INSERT_DEPOSITS, rows: deposits.map(writtenDeposit) },
    { name: 'add-requests', text: INSERT_REQUESTS, rows: requests.map(writtenRequest) },
  ];
  for (const { name, text, rows } of inserted)
    if (rows.length > 0) await client.query({ name, text, values: [JSON.stringify(rows)] });
}

/** Until the transaction ends, no batch takes a deposit that may be deleted here. */
const keepDeposits = (client: PoolClient) => lockHead(client);

/**
 * Forgets blocks above a number and what they said, after a reorganization. A deposit that is in a batch stays: then the
 * batch has to be taken back first (`SequenceStep.rewind`).
 *
 * Out: false, and nothing is changed, when a batch has taken one of the deposits
 */
export function rewindChain(database: Database, toNumber: number): Promise<boolean> {
  return database.transaction(async (client) => {
    await keepDeposits(client);
    const { rowCount } = await client.query(
      'SELECT FROM deposit WHERE block_number > $1 AND batch_height IS NOT NULL LIMIT 1',
      [toNumber],
    );
    if (rowCount === 1) return false;
    for (const table of ['deposit', 'token', 'outbound_request'])
      await client.query(`DELETE FROM ${table} WHERE block_number > $1`, [toNumber]);
    await client.query('DELETE FROM chain_block WHERE number > $1', [toNumber]);
    return true;
  });
}

export async function listTokens(from: Statements): Promise<TokenRow[]> {
  const { rows } = await from.query<RawToken>({
    name: 'tokens',
    text: 'SELECT token_id, address, unit FROM token ORDER BY token_id',
  });
  return rows.map(({ token_id, address, unit }) => ({
    ...{ tokenId: token_id, address: addressFromBytes(address), unit: BigInt(unit) },
  }));
}

/** Requests whose time is over at a moment, in the order of the chain. */
export async function listOverdueRequests(
  from: Statements,
  atSeconds: number,
  limit: number,
): Promise<OutboundRequestRow[]> {
  const { rows } = await from.query<RawRequest>({
    name: 'overdue-requests',
    text: `SELECT block_number, log_index, account_id, recipient, token_id, amount, overdue_at FROM outbound_request
            WHERE overdue_at <= $1 ORDER BY block_number, log_index LIMIT $2`,
    values: [atSeconds, limit],
  });
  return rows.map((row) => ({
    ...{ blockNumber: row.block_number, logIndex: row.log_index, accountId: row.account_id },
    ...{ recipient: addressFromBytes(row.recipient), tokenId: row.token_id },
    ...{ amount: BigInt(row.amount), overdueAt: row.overdue_at },
  }));
}

function writtenToken({ tokenId, address, unit, blockNumber }: ChainEvents['tokens'][number]) {
  return { token_id: tokenId, address: hex(address), unit: String(unit), block_number: blockNumber };
}

function writtenDeposit(deposit: ChainEvents['deposits'][number]) {
  return {
    ...{ index: deposit.index, account_id: deposit.accountId, token_id: deposit.tokenId },
    ...{ amount: String(deposit.amount), sender: hex(deposit.sender), block_number: deposit.blockNumber },
  };
}

function writtenRequest(request: OutboundRequestRow) {
  return {
    ...{ block_number: request.blockNumber, log_index: request.logIndex, account_id: request.accountId },
    ...{ recipient: hex(request.recipient), token_id: request.tokenId, amount: String(request.amount) },
    overdue_at: request.overdueAt,
  };
}

const hex = (address: Address) => asBuffer(addressToBytes(address)).toString('hex');
