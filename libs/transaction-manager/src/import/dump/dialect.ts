/** Which program wrote a dump. */
export const DIALECTS = ['postgresql', 'mysql', 'h2', 'sqlite'] as const;
export type Dialect = (typeof DIALECTS)[number];

/**
 * Words that the programs write at the beginning, before any value. MariaDB is read as MySQL. pg_dump and mysqldump name
 * themselves; H2 begins with its users, SQLite with a pragma.
 */
const MARKS: readonly (readonly [string, Dialect])[] = [
  ['PostgreSQL database dump', 'postgresql'],
  ['MySQL dump', 'mysql'],
  ['MariaDB dump', 'mysql'],
  ['phpMyAdmin SQL Dump', 'mysql'],
  ['PRAGMA foreign_keys', 'sqlite'],
  ['CREATE USER IF NOT EXISTS', 'h2'],
  ['CREATE CACHED TABLE', 'h2'],
  ['CREATE MEMORY TABLE', 'h2'],
];

/** The dialect by the first bytes of a dump; undefined when they do not show it. */
export function detectDialect(head: Uint8Array): Dialect | undefined {
  const text = Buffer.from(head).toString('latin1');
  const found = MARKS.map(([mark, dialect]) => ({ dialect, at: text.indexOf(mark) })).filter(
    ({ at }) => at >= 0,
  );
  found.sort((left, right) => left.at - right.at);
  return found[0]?.dialect;
}
