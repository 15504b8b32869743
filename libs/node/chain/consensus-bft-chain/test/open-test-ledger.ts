import { addressFromPrivateKey, signingKeyOf } from '@tetrad/crypto';
import { connectDatabase, isDatabaseUnavailable, type Database } from '@tetrad/db';
import { bftRules } from '@tetrad/node-consensus-bft';
import {
  createExecutor,
  decodeTransaction,
  defaultGenesis,
  parseGenesis,
  type Executor,
  type Genesis,
  type MayTransact,
} from '@tetrad/node-execution';
import { openLedger } from '@tetrad/node-ledger';
import {
  openTransactionPool,
  type PoolLimits,
  type TransactionPool,
  type TransactionPoolOptions,
} from '@tetrad/node-pool';
import { openLedgerStore, type LedgerStore } from '@tetrad/node-store';
import { developmentAccounts } from '@tetrad/testkit';
import { signTransaction } from '@tetrad/transactions';
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
  ValidatorCandidates,
  bftChainRules,
  startConsensus,
  type BftChain,
  type Consensus,
  type ConsensusOptions,
} from '../src/index.js';
import { beginTogether } from './begin-together.js';

export const CHAIN_ID = 1337;
export const VALIDATOR_KEY = Buffer.alloc(32, 0x42);
export const OWNERS = developmentAccounts(4, 'owner');

export interface TestLedger extends BftChain {
  readonly database: Database;
  readonly store: LedgerStore;
  readonly pool: TransactionPool;
  readonly candidates: ValidatorCandidates;
  /** Starts production; by default a block every 50 ms. */
  produce(changes?: Pick<ConsensusOptions, 'blockPeriodMs'>): Promise<Consensus>;
  close(): Promise<void>;
}

/** @param changes - engine, gas limit, period — what differs from the usual test chain */
export function testGenesis(
  changes: {
    engine?: 'qbft' | 'ibft';
    gasLimit?: bigint;
    balance?: bigint;
    blockPeriodMs?: number;
    /** More keys of the consensus section. */
    consensus?: Readonly<Record<string, unknown>>;
    /** Lists of the config section. */
    transitions?: readonly object[];
    validatorKeys?: readonly Uint8Array[];
  } = {},
): Genesis {
  const engine = changes.engine ?? 'qbft';
  const keys = changes.validatorKeys ?? [VALIDATOR_KEY];
  const json = defaultGenesis({
    chainId: CHAIN_ID,
    engine,
    blockPeriodMs: changes.blockPeriodMs ?? 50,
    extraData: hexFromBytes(bftRules(engine).genesisExtraData(keys.map(addressFromPrivateKey))),
    balances: new Map(OWNERS.map(({ address }) => [address, changes.balance ?? 10n ** 24n])),
    ...(changes.gasLimit === undefined ? {} : { gasLimit: changes.gasLimit }),
  });
  const config = json['config'] as Record<string, object>;
  const { transitions = [] } = changes;
  return parseGenesis({
    ...json,
    config: { ...config, [engine]: { ...config[engine], ...changes.consensus }, transitions },
  });
}

export interface TestLedgerOptions {
  readonly genesis?: Genesis;
  readonly limits?: Partial<PoolLimits>;
  readonly mayTransact?: MayTransact;
  readonly submissionBarrier?: TransactionPoolOptions['submissionBarrier'];
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
    const rules = bftChainRules(genesis);
    const ledger = await openLedger({
      genesis,
      rules,
      store,
      executor: options.wrapExecutor?.(executor) ?? executor,
      clock,
      ...quiet,
      ...(options.mayTransact === undefined ? {} : { mayTransact: options.mayTransact }),
    });
    const pool = await openTransactionPool({
      chain: ledger,
      journal: store.journal,
      ...quiet,
      ...(limits === undefined ? {} : { limits }),
      ...(options.submissionBarrier && { submissionBarrier: options.submissionBarrier }),
    });
    const candidates = await ValidatorCandidates.open(store.validators, () => 0);
    const produce: TestLedger['produce'] = (changes = {}) =>
      startConsensus({
        ledger,
        rules,
        pool,
        candidates,
        clock,
        key: signingKeyOf(VALIDATOR_KEY),
        records: store.consensusRecords,
        // A single validator has no peers.
        network: { broadcast: () => undefined, send: () => undefined },
        neighbours: beginTogether(ledger, addressFromPrivateKey(VALIDATOR_KEY)),
        blockPeriodMs: 50,
        ...changes,
        ...quiet,
        isDatabaseUnavailable,
      });
    return { database, store, ledger, rules, pool, candidates, produce, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export function transfer(
  owner: number,
  nonce: number,
  changes: {
    gasPrice?: bigint;
    gas?: bigint;
    /** Null for a creation. */
    to?: Address | null;
    value?: bigint;
    data?: Uint8Array;
  } = {},
): SignedTransaction {
  const { privateKey, address } = OWNERS[owner] as (typeof OWNERS)[number];
  const raw = signTransaction(
    {
      chainId: BigInt(CHAIN_ID),
      nonce: BigInt(nonce),
      gasLimit: changes.gas ?? 21_000n,
      to: changes.to === null ? undefined : (changes.to ?? address),
      value: changes.value ?? 1n,
      data: changes.data ?? new Uint8Array(0),
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
