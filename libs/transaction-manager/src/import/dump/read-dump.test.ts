import { describe, expect, it } from '@jest/globals';
import {
  h2Dump,
  inPieces,
  mysqlDump,
  postgresDump,
  recordedTables,
  sqliteDump,
} from '../../../test/import/tessera-dumps.js';
import { detectDialect, type Dialect } from './dialect.js';
import { readDump } from './read-dump.js';

const wanted = new Map(recordedTables().map(({ name, columns }) => [name, columns]));
const textColumns = ['payload_codec', 'note', 'timestamp'];

/** What a dump has of the recorded tables, as one line a row. */
async function linesOf(dump: string | Uint8Array, dialect: Dialect, size = 1_000): Promise<string[]> {
  const lines: string[] = [];
  for await (const row of readDump(inPieces(dump, size), { dialect, wanted })) {
    const columns = (wanted.get(row.table) ?? []).filter((column) => column !== 'timestamp');
    const values = columns.map((column) =>
      textColumns.includes(column)
        ? (row.text(column) ?? 'null')
        : Buffer.from(row.bytes(column) ?? []).toString('hex'),
    );
    lines.push([row.table, row.row, ...values].join(' '));
  }
  return lines;
}

function expected(): string[] {
  return recordedTables().flatMap(({ name, columns, rows }) =>
    rows.map((row, index) => {
      const kept = row.filter((_, at) => columns[at] !== 'timestamp');
      const values = kept.map((value) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
      );
      return [name, index + 1, ...values.map(String)].join(' ');
    }),
  );
}

const tables = recordedTables();
const dumps: [string, string | Uint8Array, Dialect][] = [
  ['pg_dump', postgresDump(tables), 'postgresql'],
  ['pg_dump --inserts', postgresDump(tables, 'inserts'), 'postgresql'],
  ['pg_dump --column-inserts', postgresDump(tables, 'column-inserts'), 'postgresql'],
  ['pg_dump with bytea_output = escape', postgresDump(tables, 'escape'), 'postgresql'],
  ['mysqldump', mysqlDump(tables), 'mysql'],
  ['an older mysqldump', mysqlDump(tables, 'plain'), 'mysql'],
  ['mysqldump --hex-blob', mysqlDump(tables, 'hex-blob'), 'mysql'],
  ['SCRIPT of H2', h2Dump(tables), 'h2'],
  ['SCRIPT of H2 with large objects', h2Dump(tables, 40), 'h2'],
  ['.dump of SQLite', sqliteDump(tables), 'sqlite'],
];

describe.each(dumps)('%s', (_, dump, dialect) => {
  it('is recognized, and gives every row of the tables', async () => {
    expect(detectDialect(Buffer.from(dump).subarray(0, 1_000))).toBe(dialect);
    expect(await linesOf(dump, dialect)).toEqual(expected());
  });

  it.each([1, 7])('is read in pieces of %i bytes', async (size) => {
    expect(await linesOf(dump, dialect, size)).toEqual(expected());
  });

  it('is refused wherever it is cut off within a row', async () => {
    const whole = Buffer.from(dump);
    const rows = expected().length;
    for (const part of [0.5, 0.7, 0.9]) {
      const cut = whole.subarray(0, Math.floor(whole.length * part));
      const outcome = await linesOf(cut, dialect).then(
        (lines) => lines.length,
        (error: Error) => error.message,
      );
      if (typeof outcome === 'number') expect(outcome).toBeLessThan(rows);
      else expect(outcome).toMatch(/the file ends within|values for|is not hexadecimal/);
    }
  });
});

describe('a dump that cannot be read', () => {
  const h2 = (text: string) => linesOf(text, 'h2');
  it.each([
    ['does not name the columns of privacy_group', "INSERT INTO PRIVACY_GROUP VALUES (X'00');"],
    ['has SELECT, not VALUES', 'INSERT INTO PRIVACY_GROUP (ID) SELECT 1;'],
    [
      'row 1 of privacy_group: 1 values for 2 columns',
      "INSERT INTO PRIVACY_GROUP (ID, DATA) VALUES (X'00');",
    ],
    [
      'row 2 of privacy_group: id: a literal is not hexadecimal',
      "INSERT INTO PRIVACY_GROUP (ID) VALUES (X'00'), (X'0');",
    ],
    [
      'row 1 of privacy_group: id: a literal is not hexadecimal',
      "INSERT INTO PRIVACY_GROUP (ID) VALUES (X'0g');",
    ],
    ['row 1 of privacy_group: id: 17 is not bytes', 'INSERT INTO PRIVACY_GROUP (ID) VALUES (17);'],
    ['the parts of value 3 are missing', 'INSERT INTO PRIVACY_GROUP (ID) VALUES (SYSTEM_COMBINE_BLOB(3));'],
    ['part 1 of value 0 comes after 0 parts', "INSERT INTO SYSTEM_LOB_STREAM VALUES(0, 1, NULL, X'00');"],
    ['the expression is too long', `INSERT INTO PRIVACY_GROUP (ID) VALUES (${'('.repeat(50)});`],
    ['the file ends within a comment', '/* no end'],
    ['more than 200 columns', `CREATE TABLE PRIVACY_GROUP (${'A INT,'.repeat(300)} B INT);`],
    ['a word or number is too long', 'A'.repeat(2_000)],
  ])('is refused: %s', async (message, text) => {
    await expect(h2(text)).rejects.toThrow(message);
  });

  it.each([
    ['COPY', 'COPY privacy_group (id, data) FROM stdin;\n', '\t', 'privacy_group has more than 2 fields'],
    ['COPY of another table', 'COPY other (id) FROM stdin;\n', '\t', 'other has more than 1600 fields'],
    ['INSERT', 'INSERT INTO privacy_group (id, data) VALUES (', '1,', 'privacy_group has more than 2 values'],
  ])('refuses a row of %s with too many fields where they begin', async (_, start, field, message) => {
    let pieces = 0;
    const endless = async function* () {
      yield Buffer.from(start);
      while ((pieces += 1) < 1_000) yield Buffer.from(field.repeat(5_000));
    };
    const rows = readDump(endless(), { dialect: 'postgresql', wanted });
    await expect(rows.next()).rejects.toThrow(message);
    expect(pieces).toBe(1);
  });

  it('names the row of COPY that lacks a field', async () => {
    const dump = 'COPY privacy_group (id, data) FROM stdin;\n\\\\x00\t\\\\x01\n\\\\x00\n\\.\n';
    await expect(linesOf(dump, 'postgresql')).rejects.toThrow(
      'row 2 of privacy_group: 1 values for 2 columns',
    );
  });
});
