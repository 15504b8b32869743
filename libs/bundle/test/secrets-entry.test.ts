import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { ROOT } from '../src/services.js';

/** Files of the entry, from the root, and the packages that it imports. */
async function contentsOf(entry: string): Promise<{ files: readonly string[]; packages: readonly string[] }> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [join(ROOT, entry)],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const files = Object.keys(metafile.inputs);
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  return {
    files,
    packages: [...new Set(imports.filter(({ external }) => external).map(({ path }) => path))],
  };
}

describe('the entry of remote-keys for secrets', () => {
  it('has no key that signs elsewhere, so that programs with secrets alone have no HSM and no cloud for keys', async () => {
    const { files, packages } = await contentsOf('libs/remote-keys/src/secrets/index.ts');
    expect(files).toContain('libs/remote-keys/src/vault/vault-client.ts');
    expect(files.filter((file) => /pkcs11\/|gcp\/|aws-kms\.ts|remote-key\.ts/.test(file))).toEqual([]);
    expect(packages).toContain('@aws-sdk/client-secrets-manager');
    expect(packages).not.toEqual(expect.arrayContaining(['pkcs11js']));
    expect(packages).not.toEqual(expect.arrayContaining(['@aws-sdk/client-kms']));
  });

  it('differs in that from the entry for keys', async () => {
    const { files, packages } = await contentsOf('libs/remote-keys/src/index.ts');
    expect(files).toContain('libs/remote-keys/src/pkcs11/pkcs11-token.ts');
    expect(packages).toContain('@aws-sdk/client-kms');
  });
});
