import type pg from 'pg';

/** A connection, for example that of a transaction, or any of the pool's. */
export type Statements = Pick<pg.ClientBase, 'query'>;
