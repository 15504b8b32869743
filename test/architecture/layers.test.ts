import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
// Plugins of nx in separate processes time out on a host that takes seconds to answer.
const env = { ...process.env, NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false', NODE_OPTIONS: '' };

/** A file that need not exist, with the text that it would have. */
type Source = readonly [file: string, text: string];

/** Lints all of them in one process: loading the rules and the project graph takes longer than linting. */
const LINT = `
import { ESLint } from 'eslint';
import { text } from 'node:stream/consumers';
const eslint = new ESLint();
const found = [];
for (const [filePath, source] of JSON.parse(await text(process.stdin))) {
  const [result] = await eslint.lintText(source, { filePath });
  found.push(result.messages.map(({ ruleId, message }) => ruleId + ': ' + message).join('\\n'));
}
console.log(JSON.stringify(found));
`;

/** ESLint's messages for each. */
function lintAll(sources: readonly Source[]): readonly string[] {
  const run = spawnSync(process.execPath, ['--input-type=module', '--eval', LINT], {
    cwd: root,
    env,
    encoding: 'utf8',
    input: JSON.stringify(sources),
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout) as string[];
}

const importOf = (name: string) => `import * as imported from '${name}';\nexport { imported };\n`;

const WALLS: readonly (readonly [wall: string, file: string, imported: string])[] = [
  [
    'a lower layer imports a higher one',
    'libs/node/permissions/permission-contracts/src/x.ts',
    '@tetrad/service',
  ],
  ['storage imports domain', 'libs/keystore/src/x.ts', '@tetrad/node-ledger'],
  [
    'a service imports the domain of another',
    'libs/signer/transactions/src/x.ts',
    '@tetrad/node-transactions',
  ],
  ['domain imports the service layer', 'libs/node/chain/ledger/src/x.ts', '@tetrad/service'],
  ['an app imports the testkit', 'apps/node/src/x.ts', '@tetrad/testkit'],
  [
    'the ledger imports an engine of consensus',
    'libs/node/chain/ledger/src/x.ts',
    '@tetrad/node-consensus-bft',
  ],
  ['the pool imports consensus', 'libs/node/chain/pool/src/x.ts', '@tetrad/node-consensus-bft'],
];

const RESTRICTED: readonly (readonly [wall: string, file: string, imported: string])[] = [
  [
    'a test of the ledger imports consensus by name',
    'libs/node/chain/ledger/test/x.test.ts',
    '@tetrad/node-consensus-bft',
  ],
  [
    'a test of the pool imports consensus by path',
    'libs/node/chain/pool/src/x.test.ts',
    '../../consensus-bft-chain/test/seal-block.js',
  ],
  ['an app speaks SQL', 'apps/node/src/x.ts', 'pg'],
  ['an app reads files for TLS', 'apps/signer/src/x.ts', 'node:tls'],
  ['the launcher imports the whole service layer', 'libs/devnet/src/x.ts', '@tetrad/service'],
  ['what the launcher imports of it loads more', 'libs/service/src/nearest.ts', './logger.js'],
];

const rejection =
  /@nx\/enforce-module-boundaries: A project tagged with .* can (only|not) depend on libs tagged with/;

describe('module boundaries', () => {
  const said = new Map<string, string>();

  beforeAll(() => {
    // Without a computed project graph the lint rule passes everything with a warning.
    const run = spawnSync(join(root, 'node_modules/.bin/nx'), ['graph', '--file', '.nx/graph.json'], {
      cwd: root,
      env,
    });
    expect(run.status).toBe(0);
    const walls = [...WALLS, ...RESTRICTED].map(
      ([wall, file, name]) => [wall, file, importOf(name)] as const,
    );
    const sources = [
      ...walls,
      ['down', 'libs/node/chain/ledger/src/x.ts', importOf('@tetrad/node-store')],
      ['everything', 'apps/node/src/rpc/x.ts', 'export const handlers = (parts: NodeParts) => parts;\n'],
      [
        'a pick',
        'apps/node/src/rpc/x.ts',
        "export const handlers = (parts: Pick<NodeParts, 'pool'>) => parts;\n",
      ],
    ] as const;
    const messages = lintAll(sources.map(([, file, text]) => [file, text]));
    for (const [index, [name]] of sources.entries()) said.set(name, messages[index] ?? '');
  });

  it.each(WALLS)('lint fails when %s', (wall) => {
    expect(said.get(wall)).toMatch(rejection);
  });

  it.each(RESTRICTED)('lint fails when %s', (wall) => {
    expect(said.get(wall)).toMatch(/no-restricted-imports/);
  });

  it('lint fails when a handler takes all parts, and passes one that picks those that it uses', () => {
    expect(said.get('everything')).toMatch(/no-restricted-syntax: Take a Pick/);
    expect(said.get('a pick')).toBe('');
  });

  it('lint passes an import that goes down within the scope', () => {
    expect(said.get('down')).not.toMatch(rejection);
  });
});
