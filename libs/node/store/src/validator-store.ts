import { asBuffer, type Database } from '@tetrad/db';
import { addressFromBytes, addressToBytes, type Address } from '@tetrad/types';
import type pg from 'pg';
import type { InstanceLock } from './instance-lock.js';
import type { JoinedRows } from './joined-rows.js';
import { writeReplacement, type ValidatorReplacement } from './validator-replacement.js';
import type { SnapshotRow, ValidatorChange, VoteRow } from './validator-rows.js';

const ADDRESS_LENGTH = 20;

/**
 * Sets and votes after every block, and this node's candidates.
 *
 * Sets and votes are stored with the range of blocks in which they hold, so that a block without a vote costs nothing
 * and the snapshot of any block is two index look-ups (docs/adr/0102).
 */
export class ValidatorStore {
  constructor(
    private readonly database: Database,
    private readonly lock: InstanceLock,
  ) {}

  /** The snapshot after the block; undefined when no set is stored for it. */
  async findSnapshot(blockNumber: number): Promise<SnapshotRow | undefined> {
    const { pool } = this.database;
    const [sets, votes] = await Promise.all([
      pool.query<{ validators: Buffer }>({
        name: 'find-validator-set',
        text: 'SELECT validators FROM validator_set WHERE from_block <= $1 ORDER BY from_block DESC LIMIT 1',
        values: [blockNumber],
      }),
      pool.query<{ block: string; validator: Buffer; recipient: Buffer; is_add: boolean }>({
        name: 'find-validator-votes',
        text: `SELECT block, validator, recipient, is_add FROM validator_vote
                WHERE block <= $1 AND (until_block IS NULL OR until_block > $1) ORDER BY block`,
        values: [blockNumber],
      }),
    ]);
    const set = sets.rows[0];
    if (set === undefined) return undefined;
    return {
      validators: toAddresses(set.validators),
      votes: votes.rows.map((row) => ({
        block: Number(row.block),
        validator: addressFromBytes(row.validator),
        recipient: addressFromBytes(row.recipient),
        add: row.is_add,
      })),
    };
  }

  /** Stores the set since block 0 for a chain that was created before sets were stored. */
  async initialise(validators: readonly Address[]): Promise<void> {
    await this.lock.hold();
    await this.database.pool.query(
      'INSERT INTO validator_set (from_block, validators) VALUES (0, $1) ON CONFLICT DO NOTHING',
      [toBytes(validators)],
    );
  }

  /** Replaces the set after the head by agreement of the operators. */
  async replace(replacement: ValidatorReplacement): Promise<void> {
    await this.lock.hold();
    await this.database.transaction((client) => writeReplacement(client, replacement));
  }

  /** Addresses that this node votes in (true) or out (false). */
  async listCandidates(): Promise<Map<Address, boolean>> {
    const { rows } = await this.database.pool.query<{ address: Buffer; is_add: boolean }>(
      'SELECT address, is_add FROM validator_candidate',
    );
    return new Map(rows.map((row) => [addressFromBytes(row.address), row.is_add]));
  }

  /** Durable when it resolves; the last value wins. */
  async putCandidate(address: Address, add: boolean): Promise<void> {
    await this.lock.hold();
    await this.database.pool.query(
      `INSERT INTO validator_candidate (address, is_add) VALUES ($1, $2)
       ON CONFLICT (address) DO UPDATE SET is_add = excluded.is_add`,
      [asBuffer(addressToBytes(address)), add],
    );
  }

  async removeCandidate(address: Address): Promise<void> {
    await this.lock.hold();
    await this.database.pool.query('DELETE FROM validator_candidate WHERE address = $1', [
      asBuffer(addressToBytes(address)),
    ]);
  }
}

/** The rows of a block's changes; empty when it changes neither the set nor a vote. */
export function validatorRows(change: ValidatorChange | undefined): JoinedRows[] {
  if (change === undefined) return [];
  return [{ write: (client, blockNumber) => writeChange(client, blockNumber, change) }];
}

async function writeChange(
  client: pg.ClientBase,
  blockNumber: number,
  { validators, opened, closed }: ValidatorChange,
): Promise<void> {
  if (closed.length > 0) {
    const [block, validator, recipient] = voteKeys(closed);
    await client.query({
      name: 'close-validator-votes',
      text: `UPDATE validator_vote vote SET until_block = $1
               FROM unnest($2::bigint[], $3::bytea[], $4::bytea[]) AS closed (block, validator, recipient)
              WHERE (vote.block, vote.validator, vote.recipient) =
                    (closed.block, closed.validator, closed.recipient)`,
      values: [blockNumber, block, validator, recipient],
    });
  }
  if (opened.length > 0) {
    await client.query({
      name: 'open-validator-votes',
      text: `INSERT INTO validator_vote (block, validator, recipient, is_add)
             SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::boolean[])`,
      values: [...voteKeys(opened), opened.map(({ add }) => add)],
    });
  }
  if (validators === undefined) return;
  await client.query({
    name: 'append-validator-set',
    text: 'INSERT INTO validator_set (from_block, validators) VALUES ($1, $2)',
    values: [blockNumber, toBytes(validators)],
  });
}

function voteKeys(votes: readonly VoteRow[]): [number[], Buffer[], Buffer[]] {
  return [
    votes.map(({ block }) => block),
    votes.map(({ validator }) => asBuffer(addressToBytes(validator))),
    votes.map(({ recipient }) => asBuffer(addressToBytes(recipient))),
  ];
}

function toBytes(addresses: readonly Address[]): Buffer {
  return Buffer.concat(addresses.map((address) => addressToBytes(address)));
}

function toAddresses(bytes: Uint8Array): Address[] {
  return Array.from({ length: bytes.length / ADDRESS_LENGTH }, (_, index) =>
    addressFromBytes(bytes.subarray(index * ADDRESS_LENGTH, (index + 1) * ADDRESS_LENGTH)),
  );
}
