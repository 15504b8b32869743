/**
 * Settings for connections to the operator's database. PostgreSQL keeps the plan of a statement until its tables are analyzed. One that
 * it made while a table was nearly empty reads all of what came since, once for each operation, account or node of a tree: so no plan
 * may read a whole table where an index serves.
 */
export const ROLLUP_DATABASE_SETTINGS: Readonly<Record<string, string>> = { enable_seqscan: 'off' };
