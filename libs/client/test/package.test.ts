import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { layOutClientPackage } from '@tetrad/bundle';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../../..');
/** Bytes that the private actions may take beside viem, compressed. */
const MAX_BYTES = 25_000;

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tetrad-client-'));
  await layOutClientPackage(join(folder, 'package'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const filesIn = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Packages that the files import, sorted. */
function importedBy(files: readonly string[]): string[] {
  const imported = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?["']([^."'][^"']*)["']/g)].map(
      ([, name = '']) => name,
    ),
  );
  return [...new Set(imported)].sort();
}

/**
 * An application with the packed package and viem.
 * @returns its folder
 */
function installPacked(): string {
  const application = join(folder, 'application');
  const scope = join(application, 'node_modules/@tetrad');
  mkdirSync(scope, { recursive: true });
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: join(folder, 'package'),
    encoding: 'utf8',
  });
  const [{ filename = '' } = {}] = JSON.parse(packed) as { filename?: string }[];
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', scope]);
  execFileSync('mv', [join(scope, 'package'), join(scope, 'client')]);
  for (const name of ['viem', 'ethers'])
    symlinkSync(join(root, 'node_modules', name), join(application, 'node_modules', name));
  writeFileSync(join(application, 'package.json'), '{ "type": "module" }');
  return application;
}

/** Size of an application's code in a browser, compressed, and the modules in it. */
async function bundled(application: string, code: string, external: readonly string[] = []) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: application, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    external: [...external],
  });
  return { bytes: gzipSync(outputFiles[0]?.contents ?? '').length, modules: Object.keys(metafile.inputs) };
}

describe('the npm package of the client', () => {
  let application: string;
  beforeAll(() => {
    application = installPacked();
  });

  it('depends on viem alone, on ethers in a part of its own, and imports no module of Node.js', () => {
    const client = join(application, 'node_modules/@tetrad/client');
    const manifest = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    expect(manifest).toMatchObject({ sideEffects: false, peerDependencies: { viem: expect.any(String) } });
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).not.toHaveProperty('private');
    const sources = filesIn(client).filter((file) => /\.(?:js|d\.ts)$/.test(file));
    expect(sources.length).toBeGreaterThan(60);
    const ofEthers = sources.filter((file) => file.includes('/dist/ethers/'));
    const others = sources.filter((file) => !ofEthers.includes(file));
    expect(importedBy(others)).toEqual(['viem', 'viem/actions', 'viem/utils']);
    expect(importedBy(ofEthers)).toEqual(['ethers', 'viem', 'viem/accounts', 'viem/utils']);
    expect(others.filter((file) => readFileSync(file, 'utf8').includes('/ethers/'))).toEqual([]);
    expect(filesIn(client).filter((file) => /test|\.map$/.test(file.slice(client.length)))).toEqual([]);
  });

  it('adds less to a browser application than is promised', async () => {
    const code = `
      import { createClient, http } from 'viem';
      import { privateActions } from '@tetrad/client';
      globalThis.tetrad = createClient({ transport: http() }).extend(privateActions());`;
    const external = ['viem', 'viem/*'];
    const { bytes, modules } = await bundled(application, code, external);
    expect(bytes).toBeLessThan(MAX_BYTES);
    expect(modules.some((name) => name.includes('sendPrivateTransaction'))).toBe(true);
  });

  it('is shaken: an action alone brings in no other', async () => {
    const one = `import { getPrivatePayload } from '@tetrad/client'; globalThis.read = getPrivatePayload;`;
    const all = `import * as tetrad from '@tetrad/client'; globalThis.all = tetrad;`;
    const external = ['viem', 'viem/*'];
    const [alone, everything] = [
      await bundled(application, one, external),
      await bundled(application, all, external),
    ];
    expect(alone.bytes * 3).toBeLessThan(everything.bytes);
  });

  it('bundles for a browser with viem', async () => {
    const code = `import { createTetradClient } from '@tetrad/client'; globalThis.create = createTetradClient;`;
    const { modules } = await bundled(application, code);
    expect(modules.some((name) => name.includes('viem'))).toBe(true);
  });

  it('bundles for a browser with ethers', async () => {
    const code = `import { PrivateProvider } from '@tetrad/client/ethers'; globalThis.provider = PrivateProvider;`;
    const { modules } = await bundled(application, code, ['viem', 'viem/*', 'ethers']);
    expect(modules.some((name) => name.includes('PrivateSigner'))).toBe(true);
  });

  it('is loaded by Node.js', () => {
    writeFileSync(
      join(application, 'main.mjs'),
      `import * as tetrad from '@tetrad/client';
       import { PrivateSigner } from '@tetrad/client/ethers';
       console.log(Object.keys(tetrad).length, typeof tetrad.privateActions(), PrivateSigner.name);`,
    );
    const printed = execFileSync(process.execPath, ['main.mjs'], {
      cwd: application,
      encoding: 'utf8' as const,
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    expect(printed).toMatch(/^\d+ function PrivateSigner\n$/);
  });

  it('has types by which an application is checked', () => {
    writeFileSync(
      join(application, 'main.ts'),
      `import { PrivateProvider } from '@tetrad/client/ethers';
       import { privateActions } from '@tetrad/client';
       import { createPublicClient, http, parseAbi } from 'viem';
       const abi = parseAbi(['function set(uint256 value)']);
       const client = createPublicClient({ transport: http('http://127.0.0.1') }).extend(privateActions());
       const call = { address: '0x0000000000000000000000000000000000000001', abi, privateFor: [] } as const;
       void client.writePrivateContract({ ...call, functionName: 'set', args: [1n] });
       // @ts-expect-error the argument is a number
       void client.writePrivateContract({ ...call, functionName: 'set', args: ['1'] });
       // @ts-expect-error there is no such function
       void client.writePrivateContract({ ...call, functionName: 'get' });
       // @ts-expect-error the recipients are missing
       void client.sendPrivateTransaction({ data: '0x' });
       new PrivateProvider('http://127.0.0.1', { privacyFlag: 'mandatoryParties' });
       // @ts-expect-error there is no such protection
       new PrivateProvider('http://127.0.0.1', { privacyFlag: 'mandatory' });
      `,
    );
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['ES2023', 'DOM'],
    };
    writeFileSync(
      join(application, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['main.ts'] }),
    );
    const compiler = join(root, 'node_modules/@typescript/native/bin/tsc');
    expect(() =>
      execFileSync(process.execPath, [compiler, '-p', application], { encoding: 'utf8', stdio: 'pipe' }),
    ).not.toThrow();
  });
});
