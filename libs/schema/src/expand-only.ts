/**
 * Statements of a migration script that the previous version of a service does not work with. Replicas of two versions share
 * a database while they are upgraded, so a migration may only add what the previous version need not know.
 * @param earlier - scripts of the migrations before it, which decide which tables exist
 * @returns the reason and the beginning of each such statement; empty when there is none
 */
export function contractionsOf(script: string, earlier: readonly string[]): string[] {
  const existing = new Set(earlier.flatMap(createdTables));
  const statements = statementsOf(script);
  const kept = renamedBehindViews(statements);
  return statements.flatMap((statement) => {
    if (isRenameOf(statement, kept)) return [];
    const reason = RULES.find(({ matches }) => matches(statement, existing))?.reason;
    return reason === undefined ? [] : [`${reason}: ${statement.slice(0, 100)}`];
  });
}

const RENAME_TABLE = /^ALTER TABLE "?(\w+)"? RENAME TO "?(\w+)"?$/i;
const VIEW_OF_ALL = /^CREATE VIEW "?(\w+)"? AS SELECT \* FROM "?(\w+)"?$/i;

/**
 * Tables that get another name while a view of all their columns keeps the former one: the previous version reads and writes
 * through it. Former name → new name.
 */
function renamedBehindViews(statements: readonly string[]): ReadonlyMap<string, string> {
  const views = new Map(namesIn(statements, VIEW_OF_ALL));
  return new Map(namesIn(statements, RENAME_TABLE).filter(([former, name]) => views.get(former) === name));
}

/** The two names of each statement that is of the form. */
function namesIn(statements: readonly string[], form: RegExp): [string, string][] {
  return statements.flatMap((statement) => {
    const [, first, second] = form.exec(statement) ?? [];
    return first === undefined || second === undefined ? [] : [[first, second] as [string, string]];
  });
}

/** Whether the statement renames one of these tables, or what is named after it and in no statement of a service. */
function isRenameOf(statement: string, tables: ReadonlyMap<string, string>): boolean {
  const [, former = '', name] = RENAME_TABLE.exec(statement) ?? [];
  if (name !== undefined && tables.get(former) === name) return true;
  const [, table, part] =
    /^ALTER (?:TABLE "?(\w+)"? RENAME CONSTRAINT|INDEX|SEQUENCE) "?(\w+)"? /i.exec(statement) ?? [];
  if (part === undefined || !/\bRENAME\b/i.test(statement)) return false;
  return [...tables].some(
    ([before, after]) => part.startsWith(`${before}_`) && (table === undefined || table === after),
  );
}

interface Rule {
  readonly reason: string;
  matches(statement: string, existing: ReadonlySet<string>): boolean;
}

const forAny =
  (pattern: RegExp): Rule['matches'] =>
  (statement) =>
    pattern.test(statement);
/** Of a statement that changes a table from an earlier migration. */
const forExisting =
  (pattern: RegExp): Rule['matches'] =>
  (statement, existing) =>
    pattern.test(statement) && existing.has(tableOf(statement));

const RULES: readonly Rule[] = [
  { reason: 'drops a table', matches: forAny(/^DROP (TABLE|TYPE|VIEW|SCHEMA|SEQUENCE)\b/i) },
  { reason: 'drops a column', matches: forAny(/^ALTER TABLE .*\bDROP COLUMN\b/i) },
  { reason: 'renames', matches: forAny(/^ALTER (TABLE|TYPE|INDEX|SEQUENCE) .*\bRENAME\b/i) },
  {
    reason: 'changes the type of a column',
    matches: forAny(/^ALTER TABLE .*\bALTER COLUMN \S+ (SET DATA )?TYPE\b/i),
  },
  {
    reason: 'requires a value',
    matches: forExisting(/^ALTER TABLE .*\bALTER COLUMN \S+ (SET NOT NULL|DROP DEFAULT)\b/i),
  },
  {
    reason: 'requires a value',
    matches: (statement, existing) => existing.has(tableOf(statement)) && addsRequired(statement),
  },
  {
    reason: 'restricts rows that the previous version writes',
    matches: forExisting(
      /^(ALTER TABLE .*\bADD (CONSTRAINT|PRIMARY|UNIQUE|CHECK|FOREIGN)\b|CREATE UNIQUE INDEX\b)/i,
    ),
  },
  { reason: 'removes rows', matches: forAny(/^(TRUNCATE|DELETE FROM)\b/i) },
];

/** Whether it adds a column that is neither nullable nor has a value by itself. */
function addsRequired(statement: string): boolean {
  return statement
    .split(/\bADD COLUMN\b/i)
    .slice(1)
    .some(
      (column) => /\bNOT NULL\b/i.test(column) && !/\b(DEFAULT|GENERATED|BIGSERIAL|SERIAL)\b/i.test(column),
    );
}

/** Bodies of functions are opaque, comments and line breaks are dropped. */
function statementsOf(script: string): string[] {
  return script
    .replace(/--[^\n]*/g, '')
    .replace(/\$\$[^$]*\$\$/g, "''")
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
}

function createdTables(script: string): string[] {
  return statementsOf(script).flatMap((statement) =>
    /^CREATE TABLE\b/i.test(statement) ? [tableOf(statement)] : [],
  );
}

/** The name of the table that a statement is about; empty when it is about none. */
function tableOf(statement: string): string {
  return /\b(?:TABLE|ON)(?: IF (?:NOT )?EXISTS| ONLY)? "?(\w+)"?/i.exec(statement)?.[1] ?? '';
}
