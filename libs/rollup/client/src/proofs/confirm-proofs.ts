import { acceptedBatch } from '../chain/accepted-batches.js';
import type { RollupContract } from '../chain/rollup-contract.js';
import type { StateRoots } from '../history/state-roots.js';
import { type ProvedAccount, ProofError } from './account-proof.js';
import type { ProvedOrder } from './money-order-proof.js';

/** Batches that may have come since the operator answered, or wait there for their confirmation. */
const RECENT_BATCHES = 64;

/**
 * The height at which the contract had the root that the proof of an account leads to. For one that ends at the root of the
 * account tree the history comes from the events.
 * @throws ProofError when it had no such root lately
 */
export async function confirmAccount(
  contract: RollupContract,
  proved: ProvedAccount,
  roots: StateRoots,
): Promise<number> {
  const height =
    proved.stateRoot === undefined
      ? await roots.heightOf(proved.accountRoot)
      : await heightOf(contract, proved.stateRoot);
  if (height !== undefined) return height;
  throw new ProofError(
    `the contract had no recent root that matches the proof of account ${proved.account.id}`,
  );
}

async function heightOf(contract: RollupContract, stateRoot: bigint): Promise<number | undefined> {
  const { height } = await contract.state();
  for (let at = height; at >= 0 && at > height - RECENT_BATCHES; at -= 1)
    if ((await contract.stateRootAt(at)) === stateRoot) return at;
  return undefined;
}

/**
 * Checks that the contract accepted a batch with the order.
 * @throws ProofError when not; OperatorError without that batch
 */
export async function confirmMoneyOrder(
  contract: RollupContract,
  { batchHeight, ordersRoot }: ProvedOrder,
  { fromBlock }: { readonly fromBlock: number },
): Promise<void> {
  const toBlock = await contract.client.blockNumber();
  const batch = await acceptedBatch(contract, { fromBlock, toBlock, height: batchHeight });
  if (batch.ordersRoot !== ordersRoot)
    throw new ProofError(`the order is not among those of batch ${batchHeight} on the contract`);
}
