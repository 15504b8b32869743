import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { connectDatabase, type Database } from '@tetrad/db';
import { readJson, writeJson } from '@tetrad/rpc';
import { createLogger, createMetrics, loadConfig, parseCommandLine } from '@tetrad/service';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { CoinPrivateKey, type KeyKind } from '@tetrad/wallet-key';
import { addKey } from '@tetrad/wallet-signing';
import {
  openWalletStore,
  type StoredAuditRecord,
  type WalletStore,
  openKeySealer,
  type KeySealer,
} from '@tetrad/wallet-store';
import { composeWallet } from '../src/compose.js';
import { walletOptions } from '../src/config.js';

export const PASSPHRASE = 'correct horse battery staple';
/** Low cost: the strength of the passphrase does not matter in tests. */
export const SCRYPT_COST = { n: 1024, r: 8, p: 1 };

/** Key pairs of `libs/wallet/signing/vectors`. */
export const SECP = {
  address: 't1656rklyebnscuzs5dee3zwh2xknlqsy7r2ypxei',
  kind: 'secp256k1',
  privateKey: 'WrwTNNmNFDIVDfMQ+dL9UXgKK4p0iYkfXUq5535vsWk=',
} as const;
export const BLS = {
  address: 't3sjhgtrk5fdio52k5lzanh7yy4mj4rqbiowd6odddzprrxejgbjbl2irr3gmpbf7epigf45oy7asljj3v3lva',
  kind: 'bls',
  privateKey: 'z38sVnSEnswoEHFC9e4g/aPk96c1NvXt425UKv/tKz0=',
} as const;

export interface HeldKey {
  readonly kind: KeyKind;
  /** Base64, in the byte order of key files. */
  readonly privateKey: string;
}

export interface RpcAnswer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: Readonly<Record<string, unknown>>;
  };
}

/** A wallet in this process, with a separate database and real ports. */
export interface RunningWallet {
  readonly url: string;
  readonly opsUrl: string;
  readonly databaseUrl: string;
  readonly database: Database;
  readonly store: WalletStore;
  readonly sealer: KeySealer;
  /** Everything that it has logged. */
  log(): string;
  call(method: string, params?: unknown, options?: CallOptions): Promise<RpcAnswer>;
  /** The result of a call that must succeed. */
  result<T = unknown>(method: string, params?: unknown): Promise<T>;
  post(body: string, options?: CallOptions): Promise<{ status: number; text: string }>;
  hold(key: HeldKey): Promise<void>;
  /** Audit records of key use, newest last. */
  audit(): Promise<StoredAuditRecord[]>;
  stop(): Promise<void>;
}

export interface CallOptions {
  readonly path?: string;
  readonly token?: string;
}

const TEST = { caller: 'test', requestId: 'test' };

/** Starts a wallet that holds the keys; `flags` are added to its command line. */
export async function startWallet(
  keys: readonly HeldKey[] = [],
  flags: readonly string[] = [],
): Promise<RunningWallet> {
  const testDatabase = await createTestDatabase('wallet');
  return startWalletOn(testDatabase, keys, flags);
}

export async function startWalletOn(
  testDatabase: TestDatabase,
  keys: readonly HeldKey[],
  flags: readonly string[] = [],
): Promise<RunningWallet> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-wallet-'));
  const database = await connectDatabase({ url: testDatabase.url, poolSize: 2 });
  const store = openWalletStore(database);
  const sealer = await openKeySealer(store, PASSPHRASE, SCRYPT_COST);
  const hold = (key: HeldKey) => holdKey({ store, sealer }, key);
  for (const key of keys) await hold(key);
  await writeFile(join(folder, 'passphrase'), `${PASSPHRASE}\n`);
  const lines: string[] = [];
  const service = await compose(testDatabase.url, {
    flags: ['--passphrase-file', join(folder, 'passphrase'), ...flags],
    lines,
  });
  const post = (body: string, options: CallOptions = {}) => postTo(service.url, body, options);
  const call = async (method: string, params: unknown = [], options?: CallOptions) =>
    readJson(
      (await post(writeJson({ jsonrpc: '2.0', id: 1, method, params }), options)).text,
      64,
    ) as RpcAnswer;
  return {
    url: service.url,
    opsUrl: service.opsUrl,
    databaseUrl: testDatabase.url,
    database,
    store,
    sealer,
    log: () => lines.join(''),
    post,
    call,
    async result<T>(method: string, params?: unknown) {
      const { result, error } = await call(method, params);
      if (error !== undefined) throw new Error(`${method}: ${error.message}`);
      return result as T;
    },
    hold,
    audit: async () => (await store.listAudit({ limit: 100_000 })).filter(({ action }) => action === 'sign'),
    async stop() {
      await service.stop();
      await database.close();
      await testDatabase.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Puts a key into a wallet as its command line does. */
export async function holdKey(
  wallet: { store: WalletStore; sealer: KeySealer },
  { kind, privateKey: base64 }: HeldKey,
): Promise<void> {
  const privateKey = Buffer.from(base64, 'base64');
  const address = CoinPrivateKey.fromBytes(kind, privateKey).address();
  await addKey(wallet, { address, kind, privateKey }, { requester: TEST, action: 'import' });
}

function compose(databaseUrl: string, { flags, lines }: { flags: readonly string[]; lines: string[] }) {
  const usual = ['--http-listen-port', '0', '--ops-listen-port', '0'];
  const commandLine = parseCommandLine([...usual, ...flags], walletOptions);
  const environment = {
    TETRAD_WALLET_DATABASE_URL: databaseUrl,
    TETRAD_WALLET_SIGNING_WORKERS: '1',
  };
  const config = loadConfig({ service: 'wallet', options: walletOptions, commandLine, environment });
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return composeWallet(config, {
    name: 'wallet',
    version: '0.0.0',
    logger: createLogger({ service: 'wallet', level: 'debug', stream }),
    metrics: createMetrics({ service: 'wallet', version: '0.0.0' }),
    tracing: undefined,
  });
}

async function postTo(
  url: string,
  body: string,
  { path = '/rpc/v1/coin', token }: CallOptions,
): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body,
  });
  return { status: response.status, text: await response.text() };
}

/** Text as the wire carries bytes. */
export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
