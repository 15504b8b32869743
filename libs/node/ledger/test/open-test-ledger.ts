import { addressFromPrivateKey } from '@tetrad/crypto';
import { connectDatabase, isDatabaseUnavailable, type Database } from '@tetrad/db';
import { bftRules } from '@tetrad/node-consensus-bft';
import {
  createExecutor,
  decodeTransaction,
  defaultGenesis,
  parseGenesis,
  signTransaction,
  type Executor,
  type Genesis,
} from '@tetrad/node-execution';
import { openLedgerStore, type LedgerStore } from '@tetrad/node-store';
import { developmentAccounts } from '@tetrad/testkit';
import {
  hexFromBytes,
  silentLogger,
  silentMetrics,
  systemClock,
  type Address,
  type Clock,
  type Logger,
  type SignedTransaction,
} from '@tetrad/types';
import {
  openLedger,
  openTransactionPool,
  startBlockProduction,
  type BlockProduction,
  type BlockProductionOptions,
  type Ledger,
  type PoolLimits,
  type TransactionPool,
} from '../src/index.js';

export const CHAIN_ID = 1337;
export const VALIDATOR_KEY = Buffer.alloc(32, 0x42);
export const OWNERS = developmentAccounts(4, 'owner');

export interface TestLedger {
  readonly database: Database;
  readonly store: LedgerStore;
  readonly ledger: Ledger;
  readonly pool: TransactionPool;
  /** Starts production; by default a block every 50 ms. */
  produce(
    changes?: Partial<Pick<BlockProductionOptions, 'blockPeriodMs' | 'emptyBlockPeriodMs'>>,
  ): BlockProduction;
  close(): Promise<void>;
}

/** In: engine, gas limit, period — what differs from the usual test chain */
export function testGenesis(
  changes: { engine?: 'qbft' | 'ibft'; gasLimit?: bigint; balance?: bigint; blockPeriodMs?: number } = {},
): Genesis {
  const engine = changes.engine ?? 'qbft';
  return parseGenesis(
    defaultGenesis({
      chainId: CHAIN_ID,
      engine,
      blockPeriodMs: changes.blockPeriodMs ?? 50,
      extraData: hexFromBytes(bftRules(engine).genesisExtraData([addressFromPrivateKey(VALIDATOR_KEY)])),
      balances: new Map(OWNERS.map(({ address }) => [address, changes.balance ?? 10n ** 24n])),
      ...(changes.gasLimit === undefined ? {} : { gasLimit: changes.gasLimit }),
    }),
  );
}

export interface TestLedgerOptions {
  readonly genesis?: Genesis;
  readonly limits?: Partial<PoolLimits>;
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly wrapStore?: (store: LedgerStore) => LedgerStore;
  readonly wrapExecutor?: (executor: Executor) => Executor;
}

export async function openTestLedger(url: string, options: TestLedgerOptions = {}): Promise<TestLedger> {
  const { genesis = testGenesis(), limits, clock = systemClock } = options;
  const quiet = { logger: options.logger ?? silentLogger, metrics: silentMetrics };
  const database = await connectDatabase({ url });
  const opened = await openLedgerStore(database).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const store = options.wrapStore?.(opened) ?? opened;
  const executor = createExecutor(genesis);
  const close = async () => {
    await store.close();
    await database.close();
  };
  try {
    const ledger = await openLedger({
      genesis,
      store,
      executor: options.wrapExecutor?.(executor) ?? executor,
      clock,
      ...quiet,
    });
    const pool = await openTransactionPool({
      ledger,
      store,
      ...quiet,
      ...(limits === undefined ? {} : { limits }),
    });
    const produce: TestLedger['produce'] = (changes = {}) =>
      startBlockProduction({
        ledger,
        pool,
        privateKey: VALIDATOR_KEY,
        blockPeriodMs: 50,
        emptyBlockPeriodMs: 0,
        ...changes,
        clock,
        ...quiet,
        isDatabaseAway: isDatabaseUnavailable,
        isStored: async ({ hash }) => (await store.findHead())?.hash === hash,
      });
    return { database, store, ledger, pool, produce, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export function transfer(
  owner: number,
  nonce: number,
  changes: { gasPrice?: bigint; gas?: bigint; to?: Address; value?: bigint } = {},
): SignedTransaction {
  const { privateKey, address } = OWNERS[owner] as (typeof OWNERS)[number];
  const raw = signTransaction(
    {
      chainId: BigInt(CHAIN_ID),
      nonce: BigInt(nonce),
      gasLimit: changes.gas ?? 21_000n,
      to: changes.to ?? address,
      value: changes.value ?? 1n,
      data: new Uint8Array(0),
      fees: { type: 'legacy', gasPrice: changes.gasPrice ?? 0n },
    },
    privateKey,
  );
  return decodeTransaction(raw, BigInt(CHAIN_ID));
}

/** Resolves once the chain has this many blocks and the pool is empty. */
export async function untilMined({ ledger, pool }: TestLedger, blocks = 1): Promise<void> {
  while (ledger.head().header.number < blocks || pool.size > 0)
    await new Promise((tick) => setTimeout(tick, 10));
}
