import { spawn, spawnSync } from 'node:child_process';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { makeGenesis } from '@tetrad/devnet';
import { freePort, until, type TestDatabase } from '@tetrad/testkit';
import { SERVICES, type Service } from '../src/index.js';
import { keepsState } from '../src/services.js';

export const isRoot = process.getuid?.() === 0;
/** The user of the Dockerfiles, which has no name here. */
export const USER = 10_001;
const KEY = Buffer.alloc(32, 0x42);
/** The generator of Grumpkin: 1 and the y that barretenberg gives it. */
const OPERATOR_KEY = `0x${'1'.padStart(64, '0')}0000000000000002cf135e7506a45d632d270d45f1181294833fc48d823f272c`;
/** A key file of transaction managers. */
const UNLOCKED = JSON.stringify({ type: 'unlocked', data: { bytes: KEY.toString('base64') } });

/** Services with a database. */
export type Storing = Exclude<Service, 'console'>;
export const STORING = SERVICES.filter((service): service is Storing => keepsState(service));

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
export const NO_CLIENT = 'http://127.0.0.1:9';

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

/** An image that runs on a database. */
interface Running {
  readonly service: Storing;
  /** The folder of the image. */
  readonly image: string;
  /** Its data folder, which is made when the service starts. */
  readonly data: string;
  readonly database: TestDatabase;
}

/** What the names of a service's environment variables begin with. */
function variablesOf(service: Service): string {
  return `TETRAD_${service.toUpperCase().replaceAll('-', '_')}`;
}

/** A data folder of the unprivileged user. */
async function makeDataFolder(data: string): Promise<void> {
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
}

/**
 * Starts the service of an image on the database, until it answers.
 * @throws when it ends before
 */
export async function startAndAsk({ service, image, data, database }: Running): Promise<unknown> {
  const port = await freePort();
  await makeDataFolder(data);
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

export async function post(url: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return response.json();
}

/** Migrates the database with the program of the image; `stderr` is empty when it succeeds. */
export function migrate({ service, image, database }: Running): { stdout: string; stderr: string } {
  return spawnSync(process.execPath, [join(image, 'bundle/db.js'), 'migrate', 'deploy', service], {
    env: { PATH: process.env['PATH'], [`${variablesOf(service)}_DATABASE_URL`]: database.url },
    encoding: 'utf8',
  });
}

/**
 * Runs the command that an operator needs before the service runs, in the data folder of a service that was started.
 * @returns its output, and what it says when it does its work
 */
export async function runCommand({ service, image, data, database }: Running): Promise<{
  readonly said: string;
  readonly expected: RegExp;
}> {
  const { words, says } = COMMANDS[service];
  const { stdout, stderr } = spawnSync(process.execPath, [join(image, 'bundle/main.js'), ...words], {
    cwd: data,
    env: {
      ...(await dataFolderVariable(service, data)),
      PATH: process.env['PATH'],
      [`${variablesOf(service)}_DATABASE_URL`]: database.url,
    },
    ...(isRoot ? { uid: USER, gid: USER } : {}),
    encoding: 'utf8',
  });
  return { said: `${stdout}${stderr}`.trim(), expected: says };
}
