import type { Database } from '@tetrad/db';
import type { PoolClient } from 'pg';
import { RollupStoreError } from './rollup-store-error.js';

/** Where the sequence stands. */
export interface SequenceHead {
  /** Grows with every change of the sequence: what was kept in memory is current while it is the same. */
  readonly version: number;
  readonly nextAccountId: number;
  /** The batch that takes what is executed next, and its first free place. */
  readonly openHeight: number;
  readonly openIndex: number;
  /** Index of the first deposit that no batch has taken. */
  readonly nextInbound: number;
  /** The highest batch whose trees are written. */
  readonly assembledHeight: number;
}

type Statements = Pick<Database['pool'], 'query'>;

interface RawHead {
  readonly version: number;
  readonly next_account_id: number;
  readonly open_height: number;
  readonly open_index: number;
  readonly next_inbound: number;
  readonly assembled_height: number;
}

const SELECT = `SELECT version, next_account_id, open_height, open_index, next_inbound, assembled_height
  FROM sequence_head WHERE id = 1`;

export async function readHead(from: Statements): Promise<SequenceHead> {
  return parseHead((await from.query<RawHead>({ name: 'read-head', text: SELECT })).rows[0]);
}

/** Locks the sequence against changes by others until the end of the transaction. */
export async function lockHead(client: PoolClient): Promise<SequenceHead> {
  return parseHead(
    (await client.query<RawHead>({ name: 'lock-head', text: `${SELECT} FOR UPDATE` })).rows[0],
  );
}

/** Stores the head with the version after that of `head`. Out: the stored one */
export async function writeHead(client: PoolClient, head: SequenceHead): Promise<SequenceHead> {
  await client.query({
    name: 'write-head',
    text: `UPDATE sequence_head SET version = $1, next_account_id = $2, open_height = $3, open_index = $4,
             next_inbound = $5, assembled_height = $6 WHERE id = 1`,
    values: [
      ...[head.version + 1, head.nextAccountId, head.openHeight, head.openIndex],
      ...[head.nextInbound, head.assembledHeight],
    ],
  });
  return { ...head, version: head.version + 1 };
}

function parseHead(row: RawHead | undefined): SequenceHead {
  if (row === undefined) throw new RollupStoreError('the head of the sequence is missing in the database');
  return {
    ...{ version: row.version, nextAccountId: row.next_account_id, openHeight: row.open_height },
    ...{ openIndex: row.open_index, nextInbound: row.next_inbound, assembledHeight: row.assembled_height },
  };
}
