import { asBuffer, type Database } from '@tetrad/db';
import { addressFromBytes, addressToBytes } from '@tetrad/types';
import { LRUCache } from 'lru-cache';
import type { NonceSequence, NonceSequenceKey } from './nonce-rows.js';

/** Size of the cache of sequence ids. */
const MAX_SEQUENCES = 10_000;

/** A row of the table `nonce_sequence`, which holds the nonce sequences. */
interface NonceSequenceRow {
  readonly id: number;
  readonly chain_id: number;
  readonly account: Buffer;
  readonly privacy_group: Buffer;
}

/** Nonce sequences by key, and the replica that maintains each of them. */
export class NonceSequenceStore {
  private readonly ids = new LRUCache<string, number>({ max: MAX_SEQUENCES });

  constructor(
    private readonly database: Database,
    private readonly replica: string,
  ) {}

  /** The nonce sequence with the key; created when it is new. */
  async open(key: NonceSequenceKey): Promise<NonceSequence> {
    const name = `${key.chainId}:${key.account}:${Buffer.from(key.privacyGroup ?? []).toString('hex')}`;
    const id = this.ids.get(name) ?? (await this.find(key)) ?? (await this.create(key));
    this.ids.set(name, id);
    return { ...key, id };
  }

  /**
   * Claims nonce sequences with unsettled nonces that no living replica maintains, and keeps those of this replica.
   *
   * Out: the sequences of this replica that were maintained longest ago
   */
  async claim(limit: number): Promise<NonceSequence[]> {
    const { rows } = await this.database.pool.query<NonceSequenceRow>({
      name: 'claim-sequences',
      // The array and OFFSET 0 prevent a join: a planner that assumes an empty table would join by reading all of it.
      text: `UPDATE nonce_sequence SET watcher = $1, watched_at = now()
              WHERE id = ANY(ARRAY(
                      SELECT id FROM nonce_sequence
                       WHERE (watcher IS NULL OR watcher = $1
                              OR watcher NOT IN (SELECT id FROM replica WHERE alive_until > now()))
                         AND EXISTS (SELECT FROM nonce_entry
                                      WHERE nonce_entry.lane_id = nonce_sequence.id AND state <> 'free' OFFSET 0)
                       ORDER BY watched_at LIMIT $2 FOR UPDATE SKIP LOCKED))
          RETURNING id, chain_id, account, privacy_group`,
      values: [this.replica, limit],
    });
    return rows.map(toNonceSequence);
  }

  private async find(key: NonceSequenceKey): Promise<number | undefined> {
    const { rows } = await this.database.pool.query<{ id: number }>({
      name: 'find-sequence',
      text: 'SELECT id FROM nonce_sequence WHERE chain_id = $1 AND account = $2 AND privacy_group = $3',
      values: keyValues(key),
    });
    return rows[0]?.id;
  }

  private async create(key: NonceSequenceKey): Promise<number> {
    await this.database.pool.query({
      name: 'create-sequence',
      text: `INSERT INTO nonce_sequence (chain_id, account, privacy_group) VALUES ($1, $2, $3)
             ON CONFLICT (chain_id, account, privacy_group) DO NOTHING`,
      values: keyValues(key),
    });
    return (await this.find(key)) as number;
  }
}

function keyValues({ chainId, account, privacyGroup }: NonceSequenceKey): unknown[] {
  return [chainId.toString(), asBuffer(addressToBytes(account)), asBuffer(privacyGroup ?? new Uint8Array(0))];
}

function toNonceSequence(row: NonceSequenceRow): NonceSequence {
  return {
    id: row.id,
    chainId: BigInt(row.chain_id),
    account: addressFromBytes(row.account),
    ...(row.privacy_group.length === 0 ? {} : { privacyGroup: row.privacy_group }),
  };
}
