import { asBuffer, type Database } from '@tetrad/db';
import { hashFromBytes, hashToBytes, type Hash } from '@tetrad/types';
import type pg from 'pg';
import { FLOOR } from './adopt-counts.js';

/** Where a nonce sequence stands, to compare a client's count with. */
export interface NoncePosition {
  /** Assigned next. */
  readonly next: bigint;
  /** What the client was seen to have mined. */
  readonly mined: bigint;
  /** A lower count leads the sequence no further down, since transactions below may be signed that have no row. */
  readonly floor: bigint;
  /** Nonces from `next` up to the count that have transactions of ours: callers chose them. */
  readonly explained: bigint;
  /** Block 0 of the chain that the sequence belongs to; absent until it is known. */
  readonly genesis?: Hash | undefined;
}

interface PositionRow {
  readonly next_nonce: string;
  readonly mined_count: string;
  readonly floor: string;
  readonly explained: number;
  readonly genesis: Buffer | null;
}

/** Positions of nonce sequences, and the changes of them that no assignment and no block makes. */
export class NoncePositionStore {
  constructor(private readonly database: Database) {}

  /** In: count — of the client */
  async read(sequenceId: number, count: bigint): Promise<NoncePosition> {
    const { rows } = await this.database.pool.query<PositionRow>({
      name: 'read-position',
      text: `SELECT next_nonce, mined_count, ${FLOOR} AS floor, genesis,
                    (SELECT count(*) FROM nonce_entry
                      WHERE lane_id = $1 AND nonce >= nonce_sequence.next_nonce AND nonce < $2) AS explained
               FROM nonce_sequence WHERE id = $1`,
      values: [sequenceId, count.toString()],
    });
    const row = rows[0] as PositionRow;
    return {
      next: BigInt(row.next_nonce),
      mined: BigInt(row.mined_count),
      floor: BigInt(row.floor),
      explained: BigInt(row.explained),
      ...(row.genesis === null ? {} : { genesis: hashFromBytes(row.genesis) }),
    };
  }

  /** Records the chain of a sequence of which it is not known. */
  async recordGenesis(sequenceId: number, genesis: Hash): Promise<void> {
    await this.database.pool.query({
      name: 'record-genesis',
      text: 'UPDATE nonce_sequence SET genesis = $2 WHERE id = $1 AND genesis IS NULL',
      values: [sequenceId, asBuffer(hashToBytes(genesis))],
    });
  }

  /** Lets the sequence go down to a count below its floor. */
  async lowerFloor(sequenceId: number, count: bigint): Promise<void> {
    await this.database.pool.query({
      name: 'lower-floor',
      text: `UPDATE nonce_sequence SET known_from = least(known_from, $2), mined_count = least(mined_count, $2)
              WHERE id = $1`,
      values: [sequenceId, count.toString()],
    });
  }

  /** Continues the sequence on another chain. Transactions in flight keep their nonces; what was mined is the other chain's. */
  async switchChain(sequenceId: number, { genesis, count }: { genesis: Hash; count: bigint }): Promise<void> {
    await this.database.transaction(async (client: pg.ClientBase) => {
      await client.query({
        name: 'switch-sequence',
        text: `UPDATE nonce_sequence SET genesis = $2, next_nonce = $3, mined_count = $3, known_from = $3 WHERE id = $1`,
        values: [sequenceId, asBuffer(hashToBytes(genesis)), count.toString()],
      });
      await client.query({
        name: 'drop-settled',
        text: 'DELETE FROM settled_nonce WHERE lane_id = $1',
        values: [sequenceId],
      });
    });
  }
}
