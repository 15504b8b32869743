import { asBuffer, type Database } from '@tetrad/db';
import { addressFromBytes, addressToBytes } from '@tetrad/types';
import { LRUCache } from 'lru-cache';
import type { Lane, LaneKey } from './nonce-rows.js';

/** Lanes whose ids are remembered. */
const MAX_LANES = 10_000;

/** A lane with what the chain was last seen to have mined for it. */
interface LaneRow {
  readonly id: number;
  readonly chain_id: number;
  readonly account: Buffer;
  readonly privacy_group: Buffer;
}

/** Names of lanes, and who looks after them. */
export class LaneStore {
  private readonly ids = new LRUCache<string, number>({ max: MAX_LANES });

  constructor(
    private readonly database: Database,
    private readonly replica: string,
  ) {}

  /** The lane under the key; made when it is new. */
  async open(key: LaneKey): Promise<Lane> {
    const name = `${key.chainId}:${key.account}:${Buffer.from(key.privacyGroup ?? []).toString('hex')}`;
    const id = this.ids.get(name) ?? (await this.find(key)) ?? (await this.create(key));
    this.ids.set(name, id);
    return { ...key, id };
  }

  /**
   * Takes lanes with unsettled nonces that no living replica looks after, and keeps those that this one has.
   *
   * Out: the lanes of this replica that were looked at longest ago
   */
  async claim(limit: number): Promise<Lane[]> {
    const { rows } = await this.database.pool.query<LaneRow>({
      name: 'claim-lanes',
      // The list, and OFFSET 0, keep rows from being joined, which a planner that takes a table for empty does by
      // reading all of it.
      text: `UPDATE lane SET watcher = $1, watched_at = now()
              WHERE id = ANY(ARRAY(
                      SELECT id FROM lane
                       WHERE (watcher IS NULL OR watcher = $1
                              OR watcher NOT IN (SELECT id FROM replica WHERE alive_until > now()))
                         AND EXISTS (SELECT FROM nonce_entry
                                      WHERE nonce_entry.lane_id = lane.id AND state <> 'free' OFFSET 0)
                       ORDER BY watched_at LIMIT $2 FOR UPDATE SKIP LOCKED))
          RETURNING id, chain_id, account, privacy_group`,
      values: [this.replica, limit],
    });
    return rows.map(toLane);
  }

  private async find(key: LaneKey): Promise<number | undefined> {
    const { rows } = await this.database.pool.query<{ id: number }>({
      name: 'find-lane',
      text: 'SELECT id FROM lane WHERE chain_id = $1 AND account = $2 AND privacy_group = $3',
      values: keyValues(key),
    });
    return rows[0]?.id;
  }

  private async create(key: LaneKey): Promise<number> {
    await this.database.pool.query({
      name: 'create-lane',
      text: `INSERT INTO lane (chain_id, account, privacy_group) VALUES ($1, $2, $3)
             ON CONFLICT (chain_id, account, privacy_group) DO NOTHING`,
      values: keyValues(key),
    });
    return (await this.find(key)) as number;
  }
}

function keyValues({ chainId, account, privacyGroup }: LaneKey): unknown[] {
  return [chainId.toString(), asBuffer(addressToBytes(account)), asBuffer(privacyGroup ?? new Uint8Array(0))];
}

function toLane(row: LaneRow): Lane {
  return {
    id: row.id,
    chainId: BigInt(row.chain_id),
    account: addressFromBytes(row.account),
    ...(row.privacy_group.length === 0 ? {} : { privacyGroup: row.privacy_group }),
  };
}
