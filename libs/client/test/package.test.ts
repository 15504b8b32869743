import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { installPackedClient } from './packed-client.js';

const root = join(import.meta.dirname, '../../..');
/** Bytes that the private actions may take beside viem, compressed. */
const MAX_BYTES = 25_000;

/** Source of the address: web3.js documentation, web3.eth.accounts.privateKeyToAccount */
const HOLDER = {
  secret: '0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318',
  address: '0x2c7536e3605d9c16a7a3d7b1898e529396a65c23',
  publicKey:
    '0x025d57baf5553cedc2ccf9179968fe3d1912c28646a6f66b3d5faf60e0993b55155f85af915158558dbca6f31ad1036c847dccd5e434061278a5545fe9bf9c98',
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tetrad-client-'));
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
  return {
    bytes: gzipSync(outputFiles[0]?.contents ?? '').length,
    modules: Object.keys(metafile.inputs),
    imports: Object.values(metafile.outputs).flatMap(({ imports }) => imports),
  };
}

describe('the npm package of the client', () => {
  let application: string;
  beforeAll(async () => {
    application = await installPackedClient(folder);
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
    const ofRollup = sources.filter((file) => file.includes('/dist/rollup/'));
    const others = sources.filter((file) => !ofEthers.includes(file) && !ofRollup.includes(file));
    expect(importedBy(others)).toEqual(['viem', 'viem/actions', 'viem/utils']);
    expect(importedBy(ofEthers)).toEqual(['ethers', 'viem', 'viem/accounts', 'viem/utils']);
    const code = others.map((file) => readFileSync(file, 'utf8'));
    expect(code.filter((text) => /\/(?:ethers|rollup)\//.test(text))).toEqual([]);
    expect(importedBy(ofRollup.filter((file) => file.endsWith('.d.ts')))).toEqual([]);
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

  it('bundles its part for holders of a rollup for a browser, with no module of Node.js', async () => {
    const code = `import { rollupActions } from '@tetrad/client/rollup'; globalThis.rollup = rollupActions;`;
    const { modules, imports } = await bundled(application, code);
    expect(modules.filter((name) => name.includes('/rollup/'))).toHaveLength(1);
    expect(imports).toEqual([]);
    const licenses = readFileSync(
      join(application, 'node_modules/@tetrad/client/dist/rollup/LICENSES.txt'),
      'utf8',
    );
    for (const name of ['zod', 'ethers', 'elliptic', '@noble/hashes'])
      expect(licenses).toMatch(new RegExp(`^${name} [0-9.]+ \\(MIT\\)$`, 'm'));
  });

  it('is loaded by Node.js', () => {
    writeFileSync(
      join(application, 'main.mjs'),
      `import * as tetrad from '@tetrad/client';
       import { PrivateSigner } from '@tetrad/client/ethers';
       import { rollupHolder } from '@tetrad/client/rollup';
       console.log(Object.keys(tetrad).length, typeof tetrad.privateActions(), PrivateSigner.name);
       console.log(rollupHolder('${HOLDER.secret}'));`,
    );
    const printed = execFileSync(process.execPath, ['main.mjs'], {
      cwd: application,
      encoding: 'utf8' as const,
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    expect(printed).toMatch(/^\d+ function PrivateSigner\n/);
    // Nothing that is printed has the secret.
    const { address, publicKey } = HOLDER;
    expect(printed.split('\n').slice(1).join('\n')).toBe(
      `{\n  address: '${address}',\n  publicKey: '${publicKey}'\n}\n`,
    );
  });

  it('has types by which an application is checked', () => {
    writeFileSync(
      join(application, 'main.ts'),
      `import { PrivateProvider } from '@tetrad/client/ethers';
       import { openBrowserJournal, rollupActions, rollupHolder } from '@tetrad/client/rollup';
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
       const place = { operatorUrl: 'http://127.0.0.1', contract: '0x0000000000000000000000000000000000000001' } as const;
       const holder = rollupHolder(new Uint8Array(32));
       const openJournal = () => openBrowserJournal('alice');
       const opened = client.extend(rollupActions(place)).openRollupAccount({ holder, openJournal, fromBlock: 0 });
       void opened.then((account) => account.send({ toAccountId: 1, tokenId: 0, amount: 1n }));
       // @ts-expect-error amounts are bigints
       void opened.then((account) => account.send({ toAccountId: 1, tokenId: 0, amount: 1 }));
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
