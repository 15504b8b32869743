import { ContractCreator, OperatorAccount } from '@tetrad/rollup-batcher';
import {
  DEFAULT_STALL_TIMEOUT_SECONDS,
  deployRollup,
  deployedTerms,
  operationsPerTimeout,
  verifierOf,
  type ServingTerms,
} from '@tetrad/rollup-chain';
import type { VerifierKind } from '@tetrad/rollup-circuits';
import { encodePoint } from '@tetrad/rollup-crypto';
import {
  choiceOption,
  defineOptions,
  durationOption,
  integerOption,
  listOption,
  option,
  type ConfigOf,
} from '@tetrad/service';
import { hexFromBytes, silentLogger, systemClock, type Address } from '@tetrad/types';
import { DUST_LIMIT } from '../acceptance-options.js';
import { batchOptions, chainOptions } from '../chain-options.js';
import { openChain } from '../open-chain.js';
import { openSubmitter } from '../open-submitter.js';
import { pointOption } from '../option-types.js';
import { measureProof } from './measure-proof.js';
import { assertFitsBlock, assertServes, slowestBatch, type ServingSpeed } from './promised-speed.js';

const CONTRACT = 'Contract';
const MAX_TIMEOUT_SECONDS = 10 * 365 * 86_400;

export const deployOptions = defineOptions({
  ...chainOptions,
  operatorKey: option(pointOption(), {
    group: CONTRACT,
    description: "Public encryption key of the operator, the second half of every account's joint key.",
    required: true,
  }),
  batchSizes: option(listOption(integerOption({ min: 1, max: 4_096 })), {
    group: CONTRACT,
    description: 'Batch sizes that the contract accepts; there is a circuit for each.',
    default: [1, 2] as readonly number[],
  }),
  verifier: option(choiceOption('auto', 'standard', 'optimized'), {
    group: CONTRACT,
    description:
      'Contracts that check proofs: optimized needs Cancun and takes a fifth of the gas, standard runs on any fork since Berlin; auto deploys optimized where the chain runs it.',
    default: 'auto' as 'auto' | VerifierKind,
  }),
  stallTimeout: option(integerOption({ min: 1, max: MAX_TIMEOUT_SECONDS }), {
    group: CONTRACT,
    description:
      'Seconds after which a deposit or request that the operator does not serve is overdue at the earliest: anyone may freeze the contract then.',
    default: DEFAULT_STALL_TIMEOUT_SECONDS,
  }),
  requestsPerTimeout: option(integerOption({ min: 1, max: 2 ** 32 - 1 }), {
    group: CONTRACT,
    description:
      'Operations that the holders of one token can ask the contract for within --stall-timeout, each in proportion to what it holds. Default: 300 for a day.',
  }),
  depositsPerTimeout: option(integerOption({ min: 1, max: 2 ** 32 - 1 }), {
    group: CONTRACT,
    description:
      'Deposits that the operator takes within --stall-timeout when so many are made. Default: 1,500 for a day.',
  }),
  speedCheck: option(choiceOption('measure', 'none'), {
    group: CONTRACT,
    description:
      'What a contract promises is fixed for good: measure compares it with the time of a proof on this machine and of a block, before the contract is made, and refuses what --provers cannot serve. none says what is promised, and is for trials.',
    default: 'measure' as 'measure' | 'none',
  }),
  proofTime: option(durationOption({ min: 1 }), {
    group: CONTRACT,
    description:
      'Time of a proof of the largest of --batch-sizes, where it was measured on the machine that will prove. Default: it is measured here.',
  }),
  provers: option(integerOption({ min: 1, max: 10_000 }), {
    group: CONTRACT,
    description: 'Processes with the role prover that the operator will have.',
    default: 1,
  }),
  proverThreads: batchOptions.proverThreads,
  pointsDir: batchOptions.pointsDir,
  etherUnit: option(integerOption({ min: 1, max: Number.MAX_SAFE_INTEGER }), {
    group: CONTRACT,
    description: 'Wei in one unit of the rollup.',
    default: 1_000_000_000,
  }),
  minDeposit: option(integerOption({ min: 1, max: Number.MAX_SAFE_INTEGER }), {
    group: CONTRACT,
    description:
      'Smallest deposit of ether or any token, in units of the rollup; the contract refuses less. At least --min-order-amount, deposits are never dust that their receiver may forfeit.',
    default: DUST_LIMIT,
  }),
  deployTimeout: option(durationOption({ min: 1_000 }), {
    group: CONTRACT,
    description: 'Time limit for each of the transactions.',
    default: 300_000,
  }),
});

export type DeployConfig = ConfigOf<typeof deployOptions>;

/** What there is to know of a rollup that was deployed: options of the operator have the same names. */
export interface Deployment {
  readonly chainId: number;
  readonly contract: Address;
  readonly contractBlock: number;
  readonly operatorKey: string;
  readonly operator: Address;
  readonly batchSizes: readonly number[];
  /** The verifiers that were deployed. */
  readonly verifier: VerifierKind;
  /** Units of the rollup. */
  readonly minDeposit: number;
}

/**
 * Deploys verifiers and rollup with the submitting account, which becomes its operator.
 * @throws OperatorError, also for promises that the provers do not keep; ArtifactError for a size that was not built;
 *   ChainRpcError
 */
export async function deploy(config: DeployConfig): Promise<Deployment> {
  const speed = await measureSpeed(config);
  const submitter = await openSubmitter(config, silentLogger);
  const account = new OperatorAccount(submitter.key);
  const client = openChain(config, silentLogger);
  try {
    const chainId = Number(await client.chainId());
    assertFitsBlock(Math.max(1, ...config.batchSizes), (await client.head()).gasLimit ?? undefined);
    const timeoutMs = config.deployTimeout;
    const creator = new ContractCreator(client, account, { clock: systemClock, timeoutMs });
    const sizes = config.batchSizes;
    const verifier = config.verifier === 'auto' ? await verifierOf(client) : config.verifier;
    const contract = await deployRollup(creator.create, {
      operator: account.address,
      operatorKey: config.operatorKey,
      sizes,
      verifier,
      stallTimeoutSeconds: config.stallTimeout,
      assertKept() {
        const blockSeconds = (creator.blockMs ?? 0) / MS;
        if (speed !== undefined) assertServes(termsOf(config), { ...speed, blockSeconds });
      },
      requestsPerTimeout: config.requestsPerTimeout,
      depositsPerTimeout: config.depositsPerTimeout,
      etherUnit: BigInt(config.etherUnit),
      minDeposit: BigInt(config.minDeposit),
    });
    if (speed === undefined) sayPromise(config);
    const contractBlock = creator.created.at(-1)?.blockNumber ?? 0;
    const operatorKey = hexFromBytes(encodePoint(config.operatorKey));
    return {
      chainId,
      contract,
      contractBlock,
      operatorKey,
      operator: account.address,
      batchSizes: sizes,
      verifier,
      minDeposit: config.minDeposit,
    };
  } finally {
    submitter.close();
    await client.close();
  }
}

const MS = 1_000;

/** How fast batches are, as far as it is known before anything is sent; undefined when it is not to be compared. */
async function measureSpeed(config: DeployConfig): Promise<Omit<ServingSpeed, 'blockSeconds'> | undefined> {
  const { batchSizes, proofTime, provers, speedCheck } = config;
  const batchSize = Math.max(1, ...batchSizes);
  if (speedCheck === 'none') return undefined;
  const proofSeconds = proofTime === undefined ? await measureProof(batchSize, config) : proofTime / MS;
  const speed = { batchSize, proofSeconds, provers, sizes: Math.max(1, batchSizes.length) };
  // What proofs alone do not keep costs no gas.
  assertServes(termsOf(config), { ...speed, blockSeconds: 0 });
  return speed;
}

/** What was promised without a look. */
function sayPromise(config: DeployConfig): void {
  const terms = termsOf(config);
  const batchSize = Math.max(1, ...config.batchSizes);
  process.stderr.write(
    `the contract lets others demand ${operationsPerTimeout(terms)} operations in ${config.stallTimeout} s: a batch of ${batchSize} must follow the one before it in ${slowestBatch(terms, batchSize)} s; --speed-check measure compares it\n`,
  );
}

function termsOf({ stallTimeout, requestsPerTimeout, depositsPerTimeout }: DeployConfig): ServingTerms {
  return deployedTerms({ stallTimeoutSeconds: stallTimeout, requestsPerTimeout, depositsPerTimeout });
}
