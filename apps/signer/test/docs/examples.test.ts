import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encryptKeyFile } from '@tetrad/keystore';
import { SigningKeys, type KeySourceSettings } from '@tetrad/signer-keys';
import { readPolicyFile } from '@tetrad/signer-transactions';
import { silentLogger, systemClock } from '@tetrad/types';
import { KA, KA_ADDRESS, KB_ADDRESS } from '../reference-keys.js';

const pages = join(import.meta.dirname, '../../../../docs/reference/signer');

/** The files that a page shows: name → text. */
function filesOf(page: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(pages, page), 'utf8');
  const shown = text.matchAll(/<!-- file: (\S+) -->\n\n```\w+\n([^]*?)```/g);
  return new Map([...shown].map(([, name = '', content = '']) => [name, content]));
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-docs-'));
  await writeFile(join(folder, 'desk.json'), await encryptKeyFile(KA, 'secret', { scryptN: 1024 }));
  await writeFile(join(folder, 'desk.password'), 'secret\n');
  for (const page of ['keys.md', 'policies.md'])
    for (const [name, text] of filesOf(page)) await writeFile(join(folder, name), text);
});
afterAll(() => rm(folder, { recursive: true }));

async function load(source: KeySourceSettings) {
  const faults: unknown[] = [];
  const logger = { ...silentLogger, warn: (_text: string, values?: object) => void faults.push(values) };
  const keys = await SigningKeys.open({ sources: [source], watch: false }, { logger, clock: systemClock });
  await keys.whenLoaded();
  const { total, failed } = keys.progress();
  const list = keys.list();
  keys.close();
  return { list, total, failed, faults: JSON.stringify(faults) };
}

describe('the files that the pages show', () => {
  it('are signer files that are loaded; only the vault and the token are not there', async () => {
    const { list, total, failed, faults } = await load({ kind: 'signer-files', directory: folder });
    // Policies are in the folder too, and are not signer files.
    expect([list, total, failed]).toEqual([[KA_ADDRESS, KB_ADDRESS], 6, 4]);
    expect(faults).toContain('Vault https://vault.internal:8200/v1/secret/data/desk: ');
    expect(faults).toContain('PKCS#11 token bank');
  });

  it('are key configurations that are loaded; only the vault is not there', async () => {
    const source = { kind: 'key-configs', directory: folder, maxFileBytes: 10_000 } as const;
    const { list, total, failed, faults } = await load(source);
    expect([list, total, failed]).toEqual([[KA_ADDRESS, KB_ADDRESS], 3, 1]);
    expect(faults).toContain('Vault https://vault.internal:8200/v1/secret/data/desk: ');
  });

  it.each([...filesOf('policies.md').keys()])('are policies that are read: %s', async (name) => {
    expect((await readPolicyFile(join(folder, name))).length).toBeGreaterThan(0);
  });
});
