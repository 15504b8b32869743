import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { filesBelow } from './files-below.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Sources of stores whose rows go through Prisma's client (docs/adr/0121), with the schema of their service. */
const STORES = [
  ['libs/signer/store/src', 'signer'],
  ['libs/wallet/store/src', 'wallet'],
] as const;

describe.each(STORES)('the store %s', (store, service) => {
  const sources = filesBelow(join(ROOT, store), '.ts').map((file) => ({
    name: relative(join(ROOT, store), file),
    text: readFileSync(file, 'utf8'),
  }));
  const elsewhere = sources.filter(({ name }) => !name.startsWith('hot/') && !name.endsWith('.test.ts'));

  it('has statements in hot/ alone', () => {
    const found = elsewhere.filter(({ text }) => /\.query\b|\$(?:query|execute)Raw/.test(text));
    expect(found.map(({ name }) => name)).toEqual([]);
  });

  it('has no types of rows by hand', () => {
    const found = sources.filter(({ text }) => /interface (?:Raw\w*Row|Row|Stored\w*Columns)\b/.test(text));
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
