import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateClient } from '../src/index.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Below the root, so that the copy finds the packages of the workspace. */
const COPIES = join(ROOT, '.tetrad/renamed-fields');
afterAll(() => rmSync(COPIES, { recursive: true, force: true }));

/** Each use of a field is an error of some lines. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Service, folder that is copied, and the folder of it that has the store. */
const STORES = [
  ['signer', 'libs/signer/store/src', '.'],
  ['wallet', 'libs/wallet/store/src', '.'],
  ['transaction-manager', 'libs/transaction-manager/src', 'store'],
  ['node', 'libs/node/chain/store/src', '.'],
  ['rollup-operator', 'libs/rollup/store/src', '.'],
] as const;

/** A scalar field at the start of a line of a model, as `  kind String @map("x")`. */
const FIELD = /^( {2})([a-z]\w*)( +[A-Z]\w*(?:\?|\[\])?)(.*)$/;

/** Its type, where that is the schema language's own. */
const SCALAR = /^ +(?:String|Boolean|Int|BigInt|Float|Decimal|DateTime|Json|Bytes)\b/;

/** The schema with another name for every field, over the same columns. */
function renameFields(schema: string): string {
  const lines = schema.split('\n').map((line) => {
    const [, indent, name, type = '', rest = ''] = FIELD.exec(line) ?? [];
    if (name === undefined) return /^ {2}@@/.test(line) ? renameInList(line) : line;
    // A relation has no column.
    const mapped = rest.includes('@map(') || !SCALAR.test(type) ? '' : ` @map("${name}")`;
    return `${indent}${name}Renamed${type}${renameInList(rest)}${mapped}`;
  });
  return lines.join('\n');
}

/** Names of fields in `@@index([address, sequence])`, `@relation(fields: [sequence], …)` and their like. */
function renameInList(text: string): string {
  return text.replace(
    /\[([^\]]*)\]/g,
    (_, names: string) => `[${names.replace(/\b[a-z]\w*/g, '$&Renamed')}]`,
  );
}

/** Copies schema and store, the first with other names of fields. */
async function copyRenamed(service: string, sources: string, store: string): Promise<void> {
  const copy = join(COPIES, service);
  rmSync(copy, { recursive: true, force: true });
  const schemas = join(copy, 'prisma', service);
  mkdirSync(schemas, { recursive: true });
  cpSync(join(ROOT, sources), join(copy, 'src'), { recursive: true });
  rmSync(join(copy, 'src', store, 'generated'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'prisma', service)).filter((file) => file.endsWith('.prisma'))) {
    const text = renameFields(readFileSync(join(ROOT, 'prisma', service, name), 'utf8'));
    const own = text
      .replaceAll(`"../../${sources}/`, '"../../src/')
      .replace('../../libs/schema', '../../../../../libs/schema');
    writeFileSync(join(schemas, name), own);
  }
  writeFileSync(join(copy, 'package.json'), '{"type":"module"}');
  await generateClient(schemas);
}

/** The files of all copies, from their folder, that the type check refuses. One run reads what they import once. */
function refusedFiles(): Promise<ReadonlySet<string>> {
  const compiler = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
  const include = STORES.map(([service]) => `${service}/src`);
  const tsconfig = { extends: relative(COPIES, join(ROOT, 'tsconfig.json')), include };
  writeFileSync(join(COPIES, 'tsconfig.json'), JSON.stringify(tsconfig));
  return new Promise((done) =>
    execFile(
      process.execPath,
      [compiler, '-p', '.'],
      { cwd: COPIES, maxBuffer: MAX_OUTPUT_BYTES },
      (_error, stdout) =>
        done(new Set([...stdout.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)].map(([, file = '']) => file))),
    ),
  );
}

/** Files of the store that use the client or the names of columns. */
function usersOfRows(sources: string, store: string): string[] {
  return readdirSync(join(ROOT, sources, store), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('generated/'))
    .filter((file) => {
      const text = readFileSync(join(ROOT, sources, store, file), 'utf8');
      return /generated\/tables\.js|\b(?:calls|client)\.[a-z]\w*\.[a-z]\w*\(|\{ vault \}/.test(text);
    })
    .map((file) => join('src', store, file));
}

let refused: ReadonlySet<string>;
beforeAll(async () => {
  for (const [service, sources, store] of STORES) await copyRenamed(service, sources, store);
  refused = await refusedFiles();
});

describe.each(STORES)('a renamed field of the schema of the %s', (service, sources, store) => {
  it('fails the type check of every file of the store that reads or writes rows', () => {
    const users = usersOfRows(sources, store);
    expect(users.length).toBeGreaterThan(3);
    expect(users.filter((file) => !refused.has(`${service}/${file}`))).toEqual([]);
  });
});
