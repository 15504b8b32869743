import { asBuffer, type Database } from '@tetrad/db';
import type { PtmKey } from '@tetrad/types';
import type { KeptMark } from '../completeness/sealed-mark.js';
import { keyFromBytes, keyToBytes } from '../keys/key-pair.js';

/** Where a key was proved to be. */
export interface StoredHolder {
  readonly key: PtmKey;
  readonly url: string;
  readonly bound: boolean;
}

interface HolderRow {
  readonly key: Buffer;
  readonly url: string;
  readonly bound: boolean;
}

/** Most rows that are read. */
const MAX_ROWS = 20_000;

/** Rows of where keys were proved to be, so that a restart gives none of them to the first that claims it. */
export class KeyHolderStore {
  constructor(private readonly database: Database) {}

  async save(key: PtmKey, { url, bound }: Omit<StoredHolder, 'key'>): Promise<void> {
    await this.database.pool.query({
      name: 'save-key-holder',
      text: `INSERT INTO key_holder (key, url, bound) VALUES ($1, $2, $3)
             ON CONFLICT (key) DO UPDATE SET url = EXCLUDED.url, bound = EXCLUDED.bound, proved_at = now()`,
      values: [asBuffer(keyToBytes(key)), url, bound],
    });
  }

  /** What the holder of the key has us keep for it; undefined for nothing. */
  async findMark(key: PtmKey): Promise<KeptMark | undefined> {
    const { rows } = await this.database.pool.query<{ mark: Buffer; order: string | null }>({
      name: 'find-key-holder-mark',
      text: 'SELECT mark, mark_order AS order FROM key_holder WHERE key = $1 AND mark IS NOT NULL',
      values: [asBuffer(keyToBytes(key))],
    });
    const [row] = rows;
    return row && { mark: row.mark, order: Number(row.order ?? 0) };
  }

  /** Keeps what the holder of the key sealed for us, unless something later is kept. */
  async keepMark(key: PtmKey, { mark, order }: KeptMark): Promise<void> {
    await this.database.pool.query({
      name: 'keep-key-holder-mark',
      text: `UPDATE key_holder SET mark = $2, mark_order = $3
              WHERE key = $1 AND coalesce(mark_order, 0) < $3`,
      values: [asBuffer(keyToBytes(key)), asBuffer(mark), order],
    });
  }

  /** Keeps what any host may have sent in the name of the holder, unless something sealed is kept. */
  async keepUnsealedMark(key: PtmKey, mark: Uint8Array): Promise<void> {
    await this.database.pool.query({
      name: 'keep-key-holder-unsealed-mark',
      text: `UPDATE key_holder SET mark = $2
              WHERE key = $1 AND mark_order IS NULL AND mark IS DISTINCT FROM $2`,
      values: [asBuffer(keyToBytes(key)), asBuffer(mark)],
    });
  }

  async remove(key: PtmKey): Promise<void> {
    await this.database.pool.query({
      name: 'remove-key-holder',
      text: 'DELETE FROM key_holder WHERE key = $1',
      values: [asBuffer(keyToBytes(key))],
    });
  }

  /** The oldest first, so that what a stranger added last is what finds no room. */
  async all(): Promise<StoredHolder[]> {
    const { rows } = await this.database.pool.query<HolderRow>({
      name: 'all-key-holders',
      text: 'SELECT key, url, bound FROM key_holder ORDER BY proved_at LIMIT $1',
      values: [MAX_ROWS],
    });
    return rows.map(({ key, url, bound }) => ({ key: keyFromBytes(key), url, bound }));
  }
}
