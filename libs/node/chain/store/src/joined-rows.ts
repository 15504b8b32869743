import type pg from 'pg';

/**
 * Rows of one part of the node that are stored atomically with a block: the part's store file writes them in the
 * block's transaction.
 */
export interface JoinedRows {
  /** @throws as the database does; nothing of the block is stored then */
  write(client: pg.ClientBase, blockNumber: number): Promise<void>;
}
