import { Writable } from 'node:stream';
import { connectDatabase, type Database } from '@tetrad/db';
import { encodePoint, multiplyGenerator, rollupDomain } from '@tetrad/rollup-crypto';
import { Sequencer } from '@tetrad/rollup-sequencer';
import { openRollupStore, type RollupStore } from '@tetrad/rollup-store';
import { readJson, writeJson } from '@tetrad/rpc';
import { createLogger, createMetrics, loadConfig, parseCommandLine } from '@tetrad/service';
import { createTestDatabase, seededRandom } from '@tetrad/testkit';
import { ZERO_ADDRESS, hashFromBytes, hexFromBytes, parseAddress, type Hash } from '@tetrad/types';
import { RollupUser } from '../../../libs/rollup/state/src/testing/rollup-user.js';
import { composeRollupOperator } from '../src/compose.js';
import { operatorOptions } from '../src/config.js';

export const CHAIN_ID = 31337;
export const CONTRACT = parseAddress('0x5fbdb2315678afecb367f032d93f642f64180aa3');
export const OPERATOR_KEY = multiplyGenerator(23n);
export const DOMAIN = rollupDomain(BigInt(CHAIN_ID), CONTRACT);
export const TOKEN = 1;

export interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: Readonly<Record<string, unknown>>;
  };
}

/** An operator in this process, with a separate database and real ports; the test simulates the chain. */
export interface RunningOperator {
  readonly url: string;
  readonly opsUrl: string;
  readonly databaseUrl: string;
  readonly database: Database;
  readonly store: RollupStore;
  log(): string;
  call(method: string, params?: readonly unknown[]): Promise<RpcAnswer>;
  /** The result of a call that must succeed. */
  result<T = Readonly<Record<string, unknown>>>(method: string, params?: readonly unknown[]): Promise<T>;
  /** The reason with which a call is refused. */
  rejection(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** A deposit on the contract, in the next batch. */
  deposit(accountId: number, tokenId: number, amount: bigint): Promise<void>;
  /** Executes what is accepted. */
  execute(): Promise<void>;
  /**
   * Executes, seals and assembles what there is, and has the chain accept it.
   * @returns the height of the last batch
   */
  finalize(): Promise<number>;
  stop(): Promise<void>;
}

/** @param options.hasConsents - whether its contract has them, as a batcher would have read */
export async function startOperator(
  flags: readonly string[] = [],
  { hasConsents = true } = {},
): Promise<RunningOperator> {
  const testDatabase = await createTestDatabase('rollup-operator');
  const database = await connectDatabase({ url: testDatabase.url, poolSize: 3 });
  const store = openRollupStore(database);
  const lines: string[] = [];
  const service = await compose(testDatabase.url, flags, lines);
  const place = flags.indexOf('--min-order-amount');
  const minOrderAmount = place < 0 ? undefined : BigInt(flags[place + 1] as string);
  await store.changeConsents(hasConsents);
  const sequencer = new Sequencer(store, {
    domain: DOMAIN,
    batchSize: 2,
    minOrderAmount,
    hasConsents: async () => hasConsents,
  });
  await store.advanceChain(
    {
      tokens: [0, TOKEN].map((tokenId) => ({ tokenId, address: ZERO_ADDRESS, unit: 1n, blockNumber: 1 })),
      deposits: [],
      requests: [],
    },
    [{ number: 1, hash: blockHash(1) }],
  );
  let deposits = 0;
  const execute = async () => {
    for (;;) {
      const { executed, rejected, sealed } = await sequencer.executePending();
      if (executed + rejected + sealed.length === 0) return;
    }
  };
  const call = async (method: string, params: readonly unknown[] = []) => {
    const response = await fetch(service.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: writeJson({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return readJson(await response.text(), 64) as RpcAnswer;
  };
  return {
    url: service.url,
    opsUrl: service.opsUrl,
    databaseUrl: testDatabase.url,
    database,
    store,
    execute,
    call,
    log: () => lines.join(''),
    async result<T>(method: string, params?: readonly unknown[]) {
      const { result, error } = await call(method, params);
      if (error !== undefined) throw new Error(`${method}: ${error.message}`);
      return result as T;
    },
    rejection: async (method, params) => {
      const { error } = await call(method, params);
      return error?.data?.['reason'] ?? error;
    },
    async deposit(accountId, tokenId, amount) {
      const row = { index: deposits++, accountId, tokenId, amount, sender: ZERO_ADDRESS, blockNumber: 2 };
      await store.advanceChain({ tokens: [], deposits: [row], requests: [] }, [
        { number: 2, hash: blockHash(2) },
      ]);
    },
    async finalize() {
      await execute();
      await sequencer.sealOpenBatch();
      while ((await sequencer.assembleNext()) !== undefined);
      return accept(store);
    },
    async stop() {
      await service.stop();
      await database.close();
      await testDatabase.drop();
    },
  };
}

export function blockHash(number: number): Hash {
  return hashFromBytes(new Uint8Array(32).fill(number % 256));
}

/** The chain accepts every assembled batch, each in the block with the number 100 + height. */
async function accept(store: RollupStore): Promise<number> {
  const { assembledHeight } = await store.readHead();
  const states = ['sealed', 'proving', 'proven', 'submitted', 'final'] as const;
  for (let height = (await store.finalHeight()) + 1; height <= assembledHeight; height += 1) {
    for (const [index, from] of states.slice(0, -1).entries()) {
      const block = { blockNumber: 100 + height, blockHash: blockHash(100 + height) };
      const state = states[index + 1] as (typeof states)[number];
      await store.changeBatch({ height, from }, { state, ...(state === 'final' ? block : {}) });
    }
  }
  return assembledHeight;
}

/** Which rollup it is, as flags. */
export const IDENTITY = [
  '--chain-id',
  String(CHAIN_ID),
  '--contract',
  CONTRACT,
  '--operator-key',
  hexFromBytes(encodePoint(OPERATOR_KEY)),
];

/** Tests pay a few units, unless they are about minima. */
const smallAmounts = (flags: readonly string[]) =>
  ['--min-order-amount', '--min-transfer-amount'].flatMap((flag) =>
    flags.includes(flag) ? [] : [flag, '1'],
  );

/**
 * Starts another operator on a database.
 * @throws as the service does
 */
export function compose(databaseUrl: string, flags: readonly string[], lines: string[] = []) {
  const identity = IDENTITY.filter((_, place) => !flags.includes(IDENTITY[place - (place % 2)] as string));
  const usual = ['--http-listen-port', '0', '--ops-listen-port', '0', ...identity, ...smallAmounts(flags)];
  const commandLine = parseCommandLine(
    [...usual, '--roles', 'api', '--check-workers', '1', ...flags],
    operatorOptions,
  );
  const environment = { TETRAD_ROLLUP_OPERATOR_DATABASE_URL: databaseUrl };
  const config = loadConfig({
    service: 'rollup-operator',
    options: operatorOptions,
    commandLine,
    environment,
  });
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return composeRollupOperator(config, {
    name: 'rollup-operator',
    version: '0.0.0',
    logger: createLogger({ service: 'rollup-operator', level: 'debug', stream }),
    metrics: createMetrics({ service: 'rollup-operator', version: '0.0.0' }),
    tracing: undefined,
  });
}

/** A user with keys, deterministic by seed. */
export function userOf(id: number, seed = id, operatorKey = OPERATOR_KEY): RollupUser {
  const random = seededRandom(seed);
  const word = () =>
    Array.from({ length: 5 }, () => BigInt(Math.floor(random() * 2 ** 48))).reduce(
      (sum, part) => (sum << 48n) | part,
    );
  return new RollupUser(id, operatorKey, DOMAIN, word);
}
