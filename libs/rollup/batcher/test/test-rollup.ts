import { randomUUID } from 'node:crypto';
import { connectDatabase, type Database } from '@tetrad/db';
import {
  ContractFollower,
  EthereumClient,
  RollupReader,
  RollupCodec,
  type deployRollup,
} from '@tetrad/rollup-chain';
import { multiplyGenerator, operationHash, rollupDomain, type Point } from '@tetrad/rollup-crypto';
import { ProofJobs } from '../src/proving/proof-jobs.js';
import { ProofQueue } from '../src/proving/proof-queue.js';
import { Sequencer } from '@tetrad/rollup-sequencer';
import type { RollupOperation } from '@tetrad/rollup-state';
import { openRollupStore, type RollupStore } from '@tetrad/rollup-store';
import { createTestDatabase, developmentAccounts, seededRandom, type TestDatabase } from '@tetrad/testkit';
import { silentLogger, silentMetrics, systemClock, type Address, type Hex } from '@tetrad/types';
import type { TestChain } from '../../chain/test/anvil-chain.js';
import { deployWithTurns } from '../../chain/test/contract-with-turns.js';
import { deployStatedRollup, deployStatementVerifiers } from '../../chain/test/stated-proofs.js';
import { RollupUser } from '../../state/src/testing/rollup-user.js';
import {
  BATCHER_LEASE,
  BatchSubmitter,
  Batcher,
  ContractPages,
  DemandWatch,
  FreezeCallers,
  OperatorAccount,
  submittingKeyOf,
  RunningBatcher,
} from '../src/index.js';
import { once, startProver, type Proving } from './test-prover.js';

export const OPERATOR_KEY: Point = multiplyGenerator(99n);
export const UNIT = 1_000_000_000n;
const SIZE = 2;
const [operator] = developmentAccounts(1, 'rollup operator');

/** A process that batches, as the operator composes it. */
export interface TestBatcher {
  readonly running: RunningBatcher;
  readonly isHolder: () => boolean;
  stop(): Promise<void>;
}

/** One rollup for a test file: its contract, rows and users, without a running batcher or prover. */
export interface TestRollup {
  readonly store: RollupStore;
  readonly database: Database;
  readonly contract: Address;
  readonly codec: RollupCodec;
  readonly sequencer: Sequencer;
  readonly account: OperatorAccount;
  user(id: number): RollupUser;
  accept(operation: RollupOperation): Promise<void>;
  /** Starts a batcher that reaches the chain at the URL. */
  startBatcher(url?: string, options?: { readonly confirmations?: number }): Promise<TestBatcher>;
  startProver(proving?: Proving): Promise<{ stop(): Promise<void> }>;
  read(name: string, values?: readonly unknown[]): Promise<unknown>;
  call(name: string, values: readonly unknown[]): { readonly to: Address; readonly data: Hex };
  isFinal(height: number): Promise<boolean>;
  close(): Promise<void>;
}

/** Deploys the contract with turns, which operators of earlier versions have. */
export const deployTurns: typeof deployRollup = async (
  create,
  { sizes, stallTimeoutSeconds, ...options },
) => {
  const verifiers = await deployStatementVerifiers(create, sizes);
  const { operator: address, operatorKey, etherUnit } = options;
  const parts = { operator: address, operatorKey, verifiers };
  return deployWithTurns(create, parts, { stallTimeout: stallTimeoutSeconds, etherUnit });
};

export async function openTestRollup(
  chain: TestChain,
  deploy: typeof deployRollup = deployStatedRollup,
  stallTimeoutSeconds = 3_600,
): Promise<TestRollup> {
  const account = new OperatorAccount(submittingKeyOf(operator!.privateKey));
  const [payer] = chain.accounts as [Address];
  await chain.send({ from: payer, to: account.address, value: 10n ** 18n });
  const codec = new RollupCodec();
  const contract = await deploy(chain.create, {
    operator: account.address,
    operatorKey: OPERATOR_KEY,
    stallTimeoutSeconds,
    etherUnit: UNIT,
    sizes: [SIZE],
  });
  const hasConsents = deploy !== deployTurns;
  const test: TestDatabase = await createTestDatabase('rollup-operator');
  const database = await connectDatabase({ url: test.url, poolSize: 20 });
  const store = openRollupStore(database);
  const domain = rollupDomain(chain.chainId, contract);
  const random = seededRandom(5);
  const draw = () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n;
  const open: (() => Promise<void>)[] = [];
  const kept = <One extends { stop(): Promise<void> }>(one: One): One => {
    open.push(() => one.stop());
    return one;
  };
  const call = (name: string, values: readonly unknown[]) => ({
    to: contract,
    data: codec.encodeCall(name, values),
  });
  return {
    store,
    database,
    contract,
    codec,
    account,
    call,
    sequencer: new Sequencer(store, { domain, batchSize: SIZE, hasConsents: async () => hasConsents }),
    user: (id) => new RollupUser(id, OPERATOR_KEY, domain, draw),
    accept: async (operation) => {
      if (operation.kind === 'inboundTransfer' || operation.kind === 'credit')
        throw new TypeError('only what is signed is accepted');
      await store.accept({ hash: operationHash(domain, operation), operation });
    },
    startBatcher: async (url = chain.url, options) =>
      kept(await startBatcher({ url, chain, store, database, codec, contract, account, domain, ...options })),
    startProver: async (proving) => kept(await startProver(store, database, SIZE, proving)),
    read: async (name, values = []) => {
      const data = await chain.ask<Hex>('eth_call', [call(name, values), 'latest']);
      return codec.decodeResult(name, data)[0];
    },
    isFinal: async (height) => (await store.findBatch(height))?.state === 'final',
    close: async () => {
      await Promise.all(open.map((stop) => stop()));
      await database.close();
      await test.drop();
    },
  };
}

interface BatcherOptions {
  readonly url: string;
  readonly chain: TestChain;
  readonly store: RollupStore;
  readonly database: Database;
  readonly codec: RollupCodec;
  readonly contract: Address;
  readonly account: OperatorAccount;
  readonly domain: bigint;
  readonly confirmations?: number;
}

async function startBatcher(options: BatcherOptions): Promise<TestBatcher> {
  const { url, chain, store, database, codec, contract, account, domain, confirmations = 1 } = options;
  // A busy host answers late; what is not there refuses at once.
  const client = new EthereumClient({ url, timeoutMs: 60_000 });
  const reader = new RollupReader(client, codec, contract);
  const [clock, logger] = [systemClock, silentLogger];
  const queue = await ProofQueue.open(database, logger);
  const jobs = new ProofJobs({ database, store, queue, clock, logger });
  const claim = { name: BATCHER_LEASE, holder: randomUUID() };
  const bounds = { bumpAfterMs: 60_000, maxFeeLimit: 10n ** 12n, retryMs: 100, longestRetryMs: 1_000 };
  const hasConsents = () => reader.hasConsents();
  const sequencer = new Sequencer(store, { domain, batchSize: SIZE, hasConsents });
  const batcher = new Batcher({
    watch: new DemandWatch({
      reader,
      store,
      callers: new FreezeCallers({ client, codec, contract, store, fromBlock: 0 }),
    }),
    database,
    store,
    claim,
    clock,
    sealIntervalMs: 300,
    enqueueProofs: () => jobs.step(),
    sequencer,
    follower: new ContractFollower(client, codec, new ContractPages({ store, sequencer, logger }), {
      contract,
      firstBlock: 0,
      confirmations,
    }),
    submitter: new BatchSubmitter({
      database,
      store,
      client,
      reader,
      codec,
      account,
      claim,
      bounds,
      clock,
      logger,
      chainId: chain.chainId,
    }),
  });
  const running = new RunningBatcher(batcher, {
    clock,
    store,
    pollMs: 50,
    watchMs: 200,
    logger,
    metrics: silentMetrics,
  });
  running.start();
  const stop = async () => {
    await running.stop();
    await queue.close();
    await client.close();
  };
  return { running, isHolder: () => batcher.isHolder, stop: once(stop) };
}
