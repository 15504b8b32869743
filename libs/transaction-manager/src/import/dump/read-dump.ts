import { ImportRefusedError } from '../import-refused-error.js';
import { ByteInput } from './byte-input.js';
import { readCopyLine } from './copy-line.js';
import type { Dialect } from './dialect.js';
import { dumpRow, withPlace, type DumpRow } from './dump-row.js';
import { PartedValues, PARTS_TABLE } from './parted-values.js';
import { SqlLexer, type Token } from './sql-lexer.js';
import { valueOf, type SqlValue } from './sql-value.js';
import { describeToken, isConstraint, isMark, isWord, nameOf } from './token-checks.js';

/** Which columns of which tables are read; names in lower case. */
export type WantedColumns = ReadonlyMap<string, readonly string[]>;

/** Tokens of a value, and columns of a table, that are read at most. */
const MAX_VALUE_TOKENS = 32;
const MAX_COLUMNS = 200;
/** Columns that a table of PostgreSQL can have: fields of rows that are passed over. */
const MAX_FIELDS = 1_600;

/**
 * The rows of tables in a dump of PostgreSQL (`COPY` or `INSERT`), MySQL, MariaDB, H2 or SQLite, in its order. All else is
 * passed over, and a row at a time is in memory.
 * @throws ImportRefusedError that names the row, or the byte of the file
 */
export async function* readDump(
  chunks: AsyncIterable<Uint8Array>,
  { dialect, wanted }: { readonly dialect: Dialect; readonly wanted: WantedColumns },
): AsyncGenerator<DumpRow> {
  const reader = new DumpReader(new SqlLexer(new ByteInput(chunks), dialect), dialect, wanted);
  yield* reader.rows();
}

class DumpReader {
  private readonly columns = new Map<string, readonly string[]>();
  private readonly counts = new Map<string, number>();
  private readonly parts = new PartedValues();

  constructor(
    private readonly lexer: SqlLexer,
    private readonly dialect: Dialect,
    private readonly wanted: WantedColumns,
  ) {
    this.columns.set(PARTS_TABLE, ['id', 'part', 'cdata', 'bdata']);
  }

  async *rows(): AsyncGenerator<DumpRow> {
    for (;;) {
      const token = await this.lexer.next(false);
      if (token.kind === 'end') return;
      // psql commands, as in \restrict.
      if (token.kind === 'mark' && token.text === '\\') await this.lexer.skipLine();
      else if (isWord(token, 'INSERT') || isWord(token, 'REPLACE')) yield* this.insert();
      else if (isWord(token, 'COPY')) yield* this.copy();
      else if (isWord(token, 'CREATE')) await this.create();
      else if (!isMark(token, ';')) await this.skipStatement();
    }
  }

  private async *insert(): AsyncGenerator<DumpRow> {
    let token = await this.lexer.next(false);
    while (isWord(token, 'IGNORE') || isWord(token, 'INTO') || isWord(token, 'LOW_PRIORITY'))
      token = await this.lexer.next(false);
    const { name, after } = await this.qualifiedName(token);
    if (!this.isWanted(name)) return this.skipStatement(after);
    let next = after;
    if (isMark(next, '(')) {
      this.columns.set(name, await this.nameList());
      next = await this.lexer.next(false);
    }
    if (!isWord(next, 'VALUES'))
      throw this.refusal(`an INSERT INTO ${name} has ${describeToken(next)}, not VALUES`);
    const columns = this.columns.get(name);
    if (columns === undefined)
      throw this.refusal(`the dump does not name the columns of ${name}: it needs CREATE TABLE as well`);
    do {
      const token = await this.lexer.next(false);
      if (!isMark(token, '(')) return this.skipStatement(token);
      yield* this.take(name, columns, await this.rowValues(name, columns));
      next = await this.lexer.next(false);
    } while (isMark(next, ','));
    await this.skipStatement(next);
  }

  private async *copy(): AsyncGenerator<DumpRow> {
    const { name, after } = await this.qualifiedName(await this.lexer.next(false));
    const columns = isMark(after, '(') ? await this.nameList() : this.columns.get(name);
    const last = await this.skipStatement(isMark(after, '(') ? undefined : after);
    if (!last.includes('STDIN')) return;
    await this.lexer.skipLine();
    const kept = this.isWanted(name) ? (this.wanted.get(name) ?? []) : [];
    if (this.isWanted(name) && columns === undefined)
      throw this.refusal(`the dump does not name the columns of ${name}`);
    const most = kept.length > 0 ? (columns?.length ?? MAX_FIELDS) : MAX_FIELDS;
    const isKept = (index: number) => kept.includes(columns?.[index] ?? '');
    for (;;) {
      const values = await readCopyLine(this.lexer.input, isKept, { table: name, most });
      if (values === undefined) return;
      if (columns !== undefined && kept.length > 0) yield* this.take(name, columns, values);
    }
  }

  /** Remembers the columns of a table, by which rows without column names are read. */
  private async create(): Promise<void> {
    let token = await this.lexer.next(false);
    const words = new Set<string>();
    while (token.kind === 'word' && words.size < MAX_VALUE_TOKENS && token.text.toUpperCase() !== 'TABLE') {
      words.add(token.text.toUpperCase());
      token = await this.lexer.next(false);
    }
    if (!isWord(token, 'TABLE')) return void (await this.skipStatement(token));
    token = await this.lexer.next(false);
    while (isWord(token, 'IF') || isWord(token, 'NOT') || isWord(token, 'EXISTS'))
      token = await this.lexer.next(false);
    const { name, after } = await this.qualifiedName(token);
    if (isMark(after, '(') && this.wanted.has(name)) this.columns.set(name, await this.nameList());
    await this.skipStatement(isMark(after, '(') ? undefined : after);
  }

  /** A name, with or without the schema before it, and the token after it. */
  private async qualifiedName(first: Token): Promise<{ name: string; after: Token }> {
    let name = first;
    let after = await this.lexer.next(false);
    while (isMark(after, '.')) {
      name = await this.lexer.next(false);
      after = await this.lexer.next(false);
    }
    return { name: nameOf(name), after };
  }

  /** The first word of each entry in parentheses, the opening one of which is behind; constraints are left out. */
  private async nameList(): Promise<string[]> {
    const names: string[] = [];
    let depth = 1;
    let isFirst = true;
    while (depth > 0) {
      const token = await this.lexer.next(false);
      if (token.kind === 'end') throw this.refusal('the file ends within the columns of a table');
      if (isFirst && (token.kind === 'name' || !isConstraint(token))) names.push(nameOf(token));
      if (names.length > MAX_COLUMNS) throw this.refusal(`a table has more than ${MAX_COLUMNS} columns`);
      if (isMark(token, '(')) depth += 1;
      if (isMark(token, ')')) depth -= 1;
      isFirst = depth === 1 && isMark(token, ',');
    }
    return names;
  }

  /** The values of a row whose opening parenthesis is behind. */
  private async rowValues(table: string, columns: readonly string[]): Promise<SqlValue[]> {
    const kept = this.keptOf(table);
    const values: SqlValue[] = [];
    let tokens: Token[] = [];
    let depth = 1;
    while (depth > 0) {
      const token = await this.lexer.next(kept.includes(columns[values.length] ?? ''));
      if (token.kind === 'end') throw this.refusal(`the file ends within a row of ${table}`);
      if (isMark(token, '(')) depth += 1;
      if (isMark(token, ')')) depth -= 1;
      if (depth === 0 || (depth === 1 && isMark(token, ','))) {
        if (values.length === columns.length)
          throw this.refusal(`a row of ${table} has more than ${columns.length} values`);
        values.push(this.inRow(table, columns[values.length] ?? '', () => valueOf(tokens)));
        tokens = [];
      } else if (tokens.push(token) > MAX_VALUE_TOKENS)
        throw this.inRow(table, columns[values.length] ?? '', () =>
          this.refusal('the expression is too long'),
        );
    }
    return values;
  }

  private *take(table: string, columns: readonly string[], values: readonly SqlValue[]): Generator<DumpRow> {
    const row = (this.counts.get(table) ?? 0) + 1;
    if (values.length !== columns.length)
      throw new ImportRefusedError(
        `row ${row} of ${table}: ${values.length} values for ${columns.length} columns`,
      );
    const valueAt = (column: string): SqlValue => values[columns.indexOf(column)] ?? { kind: 'null' };
    if (table === PARTS_TABLE) this.inRow(table, 'bdata', () => this.parts.add(valueAt));
    this.counts.set(table, row);
    if (table === PARTS_TABLE) return;
    const parted = new Map(
      this.keptOf(table).map((column) => [
        column,
        this.inRow(table, column, () => this.whole(valueAt(column))),
      ]),
    );
    yield dumpRow({ table, row, dialect: this.dialect }, (column) => parted.get(column) ?? { kind: 'null' });
  }

  /** A value that H2 wrote in parts, which are forgotten, as one. */
  private whole(value: SqlValue): SqlValue {
    return value.kind === 'parts' ? { kind: 'bytes', bytes: this.parts.take(value.id) } : value;
  }

  /**
   * Goes to the end of the statement.
   * @returns its words, in upper case, the first few
   */
  private async skipStatement(from?: Token): Promise<string[]> {
    const words: string[] = [];
    let token = from ?? (await this.lexer.next(false));
    while (token.kind !== 'end' && !isMark(token, ';')) {
      if (token.kind === 'word' && words.length < MAX_VALUE_TOKENS) words.push(token.text.toUpperCase());
      token = await this.lexer.next(false);
    }
    return words;
  }

  private isWanted(table: string): boolean {
    return table === PARTS_TABLE || this.wanted.has(table);
  }

  private keptOf(table: string): readonly string[] {
    return table === PARTS_TABLE ? ['id', 'part', 'bdata'] : (this.wanted.get(table) ?? []);
  }

  private inRow<T>(table: string, column: string, read: () => T): T {
    return withPlace(`row ${(this.counts.get(table) ?? 0) + 1} of ${table}: ${column}`, read);
  }

  private refusal(what: string): ImportRefusedError {
    return new ImportRefusedError(`byte ${this.lexer.input.position}: ${what}`);
  }
}
