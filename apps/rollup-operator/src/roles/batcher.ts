import { randomUUID } from 'node:crypto';
import {
  BATCHER_LEASE,
  BatchSubmitter,
  Batcher,
  ContractPages,
  DemandWatch,
  FreezeCallers,
  LivingProvers,
  Pruner,
  RunningBatcher,
  OperatorAccount,
  ProofJobs,
  ProofQueue,
  readConsents,
} from '@tetrad/rollup-batcher';
import { ContractFollower, RollupReader, type EthereumClient, RollupCodec } from '@tetrad/rollup-chain';
import { Sequencer } from '@tetrad/rollup-sequencer';
import type { ServiceEnvironment } from '@tetrad/service';
import { systemClock } from '@tetrad/types';
import { assertContract } from '../assert-contract.js';
import { batchSizesOf } from '../batch-sizes.js';
import type { OperatorConfig } from '../config.js';
import { openChain } from '../open-chain.js';
import type { OpenRollup } from '../open-rollup.js';
import { openSubmitter } from '../open-submitter.js';
import type { RunningRole } from './running-role.js';

/** How often rows and chain are looked at. */
const POLL_MS = 200;
const RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
const GWEI = 1_000_000_000n;

interface Parts {
  readonly config: OperatorConfig;
  readonly environment: ServiceEnvironment;
  readonly rollup: OpenRollup;
  /** Opens what account holders encrypted, in batches that this operator did not make. */
  readonly operatorSecrets: readonly bigint[];
}

interface Chain {
  readonly client: EthereumClient;
  readonly account: OperatorAccount;
  readonly codec: RollupCodec;
  readonly queue: ProofQueue;
}

/** Executes what was accepted, closes batches, has them proved and submits them; one process at a time does. */
export async function batcherRole(parts: Parts): Promise<RunningRole> {
  const { config, environment, rollup } = parts;
  const submitter = await openSubmitter(config, environment.logger);
  const account = new OperatorAccount(submitter.key);
  const client = openChain(config, environment.logger);
  const codec = new RollupCodec();
  const reader = new RollupReader(client, codec, config.contract);
  await assertContract(reader, { config, account, store: rollup.store, ...environment });
  const queue = await ProofQueue.open(rollup.database, environment.logger);
  const batcher = composeBatcher(parts, { client, account, codec, queue });
  const running = new RunningBatcher(batcher, {
    clock: systemClock,
    store: rollup.store,
    pollMs: POLL_MS,
    logger: environment.logger,
    metrics: environment.metrics,
  });
  running.start();
  return {
    // Clients call the role `api`, which may be in this process.
    readiness: {
      batcher: { class: 'rollout', check: () => running.problem },
      unavailableKeys: { class: 'rollout', check: () => submitter.unavailable() },
    },
    async stop() {
      await running.stop();
      submitter.close();
      await queue.close();
      await client.close();
    },
  };
}

function composeBatcher(parts: Parts, { client, account, codec, queue }: Chain): Batcher {
  const { config, environment, rollup } = parts;
  const { logger } = environment;
  const { database, store } = rollup;
  const { contract, contractBlock, blocksToFinalization, keepBatches } = config;
  const sizes = batchSizesOf(config);
  const claim = { name: BATCHER_LEASE, holder: randomUUID() };
  const clock = systemClock;
  const provers = new LivingProvers({ database, clock, sizes });
  const jobs = new ProofJobs({ database, store, queue, provers, clock, logger });
  const reader = new RollupReader(client, codec, contract);
  const callers = new FreezeCallers({ client, codec, contract, store, logger, fromBlock: contractBlock });
  const sequencer = createSequencer(parts, reader, sizes);
  return new Batcher({
    watch: new DemandWatch({ reader, store, callers }),
    database,
    store,
    claim,
    clock,
    sealIntervalMs: config.batchInterval,
    enqueueProofs: () => jobs.step(),
    provers,
    logger,
    sequencer,
    pruner: keepBatches === undefined ? undefined : new Pruner(store, keepBatches),
    follower: new ContractFollower(client, codec, new ContractPages({ store, sequencer, logger }), {
      contract,
      firstBlock: contractBlock,
      confirmations: blocksToFinalization,
    }),
    submitter: new BatchSubmitter({
      database,
      store,
      client,
      codec,
      account,
      claim,
      clock,
      logger,
      chainId: BigInt(config.chainId),
      reader,
      bounds: submissionBounds(config),
    }),
  });
}

function createSequencer(
  { config, rollup: { store, domain }, operatorSecrets }: Parts,
  reader: RollupReader,
  sizes: ReturnType<typeof batchSizesOf>,
): Sequencer {
  return new Sequencer(store, {
    hasConsents: () => readConsents(reader, store),
    domain,
    operatorSecrets,
    minOrderAmount: BigInt(config.minOrderAmount),
    batchSize: Math.max(...sizes),
    smallerSizes: sizes,
  });
}

/** What a submission may cost, and when it is tried again. */
function submissionBounds({
  submissionBumpAfter: bumpAfterMs,
  maxGasPriceGwei,
}: Pick<OperatorConfig, 'submissionBumpAfter' | 'maxGasPriceGwei'>) {
  return {
    bumpAfterMs,
    maxFeeLimit: BigInt(maxGasPriceGwei) * GWEI,
    retryMs: RETRY_MS,
    longestRetryMs: LONGEST_RETRY_MS,
  };
}
