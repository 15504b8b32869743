import { longestLead } from '@tetrad/rollup-batcher';
import {
  SPEED_OF_REQUESTS,
  capacityPerTimeout,
  largestGasLimitOf,
  operationsPerTimeout,
  type ServingTerms,
} from '@tetrad/rollup-chain';
import { OperatorError } from '@tetrad/types';

/** What makes batches and gets them onto the chain, as it was measured. */
export interface ServingSpeed {
  /** Operations of the largest batch. */
  readonly batchSize: number;
  /** Seconds for a proof of it. */
  readonly proofSeconds: number;
  readonly provers: number;
  /** Sizes of batches, of each of which a prover makes one at a time. */
  readonly sizes: number;
  /** Seconds from one submission to the next: the chain takes a batch a block. */
  readonly blockSeconds: number;
}

const MS = 1_000;

/**
 * Compares what a contract lets others demand with what its operator does. Batches of the largest size count: a flood fills them.
 *
 * @param terms - that the contract has, or is deployed with
 * @param speed - of provers and chain
 * @throws OperatorError when the operator cannot keep it: free accounts could then freeze the rollup
 */
export function assertServes(terms: ServingTerms, speed: ServingSpeed): void {
  const { batchSize, provers } = speed;
  const { stallTimeoutSeconds } = terms;
  const seconds = secondsABatch(speed);
  const needed = capacityPerTimeout(terms);
  const served = Math.floor((batchSize * stallTimeoutSeconds) / seconds);
  const what = `${provers} provers with ${rounded(speed.proofSeconds)} s for a batch of ${batchSize}, and a block in ${rounded(speed.blockSeconds)} s,`;
  if (served < needed)
    throw new OperatorError(
      `${what} make ${served} operations in --stall-timeout, and ${needed} are needed, of which others may demand ${operationsPerTimeout(terms)}: ` +
        'add provers, deploy larger batches, or lower --requests-per-timeout and --deposits-per-timeout',
    );
  const shortest = shortestTimeout(speed);
  if (stallTimeoutSeconds < shortest)
    throw new OperatorError(
      `${what} need a --stall-timeout of ${shortest} s or more: what is requested comes behind batches that are under way`,
    );
}

/**
 * Compares the gas of a batch with that of a block: holders could ask for operations that fill a batch which no block takes.
 *
 * @param batchSize - operations of the largest batch
 * @param blockGas - gas limit of a block of the chain; undefined where the client does not say
 * @throws OperatorError for a batch that may need more
 */
export function assertFitsBlock(batchSize: number, blockGas: bigint | undefined): void {
  const needed = largestGasLimitOf(batchSize);
  if (blockGas !== undefined && blockGas < needed)
    throw new OperatorError(
      `--batch-sizes: a batch of ${batchSize} that pays tokens needs ${needed} gas, and a block of this chain has ${blockGas}`,
    );
}

/**
 * How long a request may wait behind batches that are under way, and yet gain no more than what serving the largest share first leaves
 * of an operation (docs/adr/0241).
 *
 * @param speed - of provers and chain
 * @returns seconds
 */
export function shortestTimeout(speed: ServingSpeed): number {
  return Math.ceil(SPEED_OF_REQUESTS * longestLead(speed.provers * speed.sizes) * secondsABatch(speed));
}

/**
 * How fast batches have to come.
 *
 * @param terms - of the contract
 * @param batchSize - operations of the largest batch
 * @returns the most seconds from one batch to the next, rounded down to milliseconds
 */
export function slowestBatch(terms: ServingTerms, batchSize: number): number {
  const seconds = (batchSize * terms.stallTimeoutSeconds) / capacityPerTimeout(terms);
  return rounded(seconds);
}

function secondsABatch({ proofSeconds, provers, blockSeconds }: ServingSpeed): number {
  return Math.max(proofSeconds / provers, blockSeconds);
}

const rounded = (seconds: number) => Math.floor(seconds * MS) / MS;
