import type pg from 'pg';

/**
 * Rows of one part of the node that become true with a block: they are written in the block's own transaction, by the
 * part's own store file.
 */
export interface JoinedRows {
  /** Fails: as the database does; nothing of the block is stored then. */
  write(client: pg.ClientBase, blockNumber: number): Promise<void>;
}
