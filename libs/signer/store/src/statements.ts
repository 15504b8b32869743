import type pg from 'pg';

/** What statements are run on: the pool, or the connection of a transaction. */
export type Statements = pg.Pool | pg.ClientBase;
