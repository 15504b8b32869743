import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
// Plugins of nx in processes of their own give up on a host that takes seconds to answer.
const env = { ...process.env, NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false', NODE_OPTIONS: '' };

/** What eslint says of a file with this text at this place; the file need not exist. */
function lint(file: string, text: string): string {
  const run = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/eslint/bin/eslint.js'),
      '--stdin',
      '--stdin-filename',
      file,
      '--format',
      'json',
    ],
    { cwd: root, input: text, encoding: 'utf8', env },
  );
  const messages = (
    JSON.parse(run.stdout) as { messages: { ruleId: string | null; message: string }[] }[]
  )[0];
  return (messages?.messages ?? []).map(({ ruleId, message }) => `${ruleId}: ${message}`).join('\n');
}

const refusal =
  /@nx\/enforce-module-boundaries: A project tagged with .* can (only|not) depend on libs tagged with/;

describe('module boundaries', () => {
  // Without a computed project graph the lint rule passes everything with a warning.
  beforeAll(() => {
    const run = spawnSync(join(root, 'node_modules/.bin/nx'), ['graph', '--file', '.nx/graph.json'], {
      cwd: root,
      env,
    });
    expect(run.status).toBe(0);
  });

  it.each([
    ['a lower layer imports a higher one', 'libs/crypto/src/x.ts', '@tetrad/service'],
    ['storage imports domain', 'libs/keystore/src/x.ts', '@tetrad/node-ledger'],
    [
      'a service imports the domain of another',
      'libs/signer/transactions/src/x.ts',
      '@tetrad/node-transactions',
    ],
    ['domain imports the service layer', 'libs/node/ledger/src/x.ts', '@tetrad/service'],
    ['an app imports the testkit', 'apps/node/src/x.ts', '@tetrad/testkit'],
    ['the ledger imports an engine of consensus', 'libs/node/ledger/src/x.ts', '@tetrad/node-consensus-bft'],
    ['the pool imports consensus', 'libs/node/pool/src/x.ts', '@tetrad/node-consensus-bft'],
  ])('lint fails when %s', (_case, file, imported) => {
    expect(lint(file, `import * as forbidden from '${imported}';\nexport { forbidden };\n`)).toMatch(refusal);
  });

  it('lint fails when a test of the ledger imports consensus, by name or by path', () => {
    for (const name of ['@tetrad/node-consensus-bft', '../../consensus-bft-chain/test/seal-block.js']) {
      const text = `import * as forbidden from '${name}';\nexport { forbidden };\n`;
      expect(lint('libs/node/ledger/test/x.test.ts', text)).toMatch(/no-restricted-imports/);
      expect(lint('libs/node/pool/src/x.test.ts', text)).toMatch(/no-restricted-imports/);
    }
  });

  it('lint passes an import that goes down within the scope', () => {
    const text = "import * as store from '@tetrad/node-store';\nexport { store };\n";
    expect(lint('libs/node/ledger/src/x.ts', text)).not.toMatch(refusal);
  });
});
