import type { Database } from '@tetrad/db';

/** What statements run on: the pool, or the connection of a transaction. */
export type Statements = Pick<Database['pool'], 'query'>;
