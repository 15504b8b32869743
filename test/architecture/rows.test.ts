import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { filesBelow } from './files-below.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Sources of stores whose rows go through Prisma's client (docs/adr/0121), with the schema of their service. */
const STORES = [
  ['libs/node/chain/store/src', 'node'],
  ['libs/signer/store/src', 'signer'],
  ['libs/wallet/store/src', 'wallet'],
  ['libs/transaction-manager/src/store', 'transaction-manager'],
  ['libs/rollup/store/src', 'rollup-operator'],
] as const;

/** A call that sends a statement. */
const STATEMENT = /\.query(?:\.bind)?[(<]|\$(?:query|execute)Raw/;

/** Where statements are besides `hot/` of these stores, and why there; a folder, or a file. */
const PLACES: Readonly<Record<string, string>> = {
  'bench/src': 'fills databases that are measured, and asks the server for sizes',
  'libs/db/src':
    'connections, locks, rights, migrations, backups and when they were made: alike in every service',
  'libs/embedded-postgres/src/leftover-server.ts': 'the lock of a server, in a database without tables',
  'libs/rollup/sequencer/src/testing': 'fills a database that is measured',
  'libs/testkit/src': 'makes, records and breaks databases for tests',
  'libs/transaction-manager/src/import/database-source.ts':
    'the database of a Tessera, whose schema is not ours: names of its tables and columns are read from it',
};

describe('statements', () => {
  const users = ['apps', 'bench', 'libs']
    .flatMap((folder) => filesBelow(join(ROOT, folder), '.ts'))
    .map((file) => relative(ROOT, file))
    .filter((name) => /\/src\//.test(name) && !/\/test\/|\.test\.ts$/.test(name))
    .filter((name) => STATEMENT.test(readFileSync(join(ROOT, name), 'utf8')));
  const rooms = [...STORES.map(([store]) => `${store}/hot`), ...Object.keys(PLACES)];
  const isIn = (room: string) => (name: string) => name === room || name.startsWith(`${room}/`);

  it('are where rows are hot, or where a reason is given', () => {
    expect(users.filter((name) => !rooms.some((room) => isIn(room)(name)))).toEqual([]);
  });

  it('are in each of these places', () => {
    expect(rooms.filter((room) => !users.some(isIn(room)))).toEqual([]);
  });
});

describe.each(STORES)('the store %s', (store, service) => {
  const sources = filesBelow(join(ROOT, store), '.ts').map((file) => ({
    name: relative(join(ROOT, store), file),
    text: readFileSync(file, 'utf8'),
  }));
  const elsewhere = sources.filter(({ name }) => !name.startsWith('hot/') && !name.endsWith('.test.ts'));

  it('has statements in hot/ alone', () => {
    const found = elsewhere.filter(({ text }) => STATEMENT.test(text));
    expect(found.map(({ name }) => name)).toEqual([]);
  });

  it('has no types of rows by hand', () => {
    const found = sources.filter(({ text }) => /interface (?:Raw\w*Row|Row|\w*Columns)\b/.test(text));
    expect(found.map(({ name }) => name)).toEqual([]);
  });

  it('names a line of the table of docs/adr/0121 for every statement', () => {
    const page = readFileSync(join(ROOT, 'docs/adr/0121-database-access-and-migrations.md'), 'utf8');
    const statements = sources.filter(({ name }) => name.startsWith('hot/'));
    expect(statements.length).toBeGreaterThan(0);
    const missing = statements.filter(
      ({ name }) => !new RegExp(`^\\| ${service} +\\| \`${name.slice(4, -3)}\` `, 'm').test(page),
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it('has a schema with both generators', () => {
    const schema = readFileSync(join(ROOT, 'prisma', service, 'schema.prisma'), 'utf8');
    expect(schema).toMatch(/compilerBuild +?= "small"/);
    expect(schema).toMatch(/^generator tables /m);
    expect(existsSync(join(ROOT, store, 'generated/tables.ts'))).toBe(true);
  });
});
