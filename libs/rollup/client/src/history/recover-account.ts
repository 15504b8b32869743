import { AccountRecovery, type AccountEvent } from '@tetrad/rollup-state';
import { acceptedBatches, type MinedBatch } from '../chain/accepted-batches.js';
import type { RollupContract } from '../chain/rollup-contract.js';
import type { RollupKeys } from '../keys/rollup-keys.js';
import { ProofError } from '../proofs/account-proof.js';

export interface RecoveryRange {
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly pageBlocks?: number;
  /** Called for each event of the account, in order. */
  onEvent?(event: AccountEvent, batch: MinedBatch): void;
  onPage?(block: number): void;
}

/**
 * The history of an account, from the contract's events and its keys alone, without an operator. The result is also the view
 * with which the holder proves a batch when the operator is gone.
 * @throws ProofError when the events do not lead to the root of the contract; RecoveryError for an operation that the
 *   keys do not open; PublicStateError; as `acceptedBatches`
 */
export async function recoverAccount(
  contract: RollupContract,
  keys: RollupKeys,
  range: RecoveryRange,
): Promise<AccountRecovery> {
  const { domain, operatorKeys } = contract;
  const { secretKey, encryptionKey } = keys;
  const recovery = new AccountRecovery({ domain, operatorKeys, secretKey, encryptionKey });
  let last: MinedBatch | undefined;
  for await (const batch of acceptedBatches(contract, range)) {
    for (const event of recovery.apply(batch)) range.onEvent?.(event, batch);
    last = batch;
  }
  const { height, stateRoot } = await contract.state(range.toBlock);
  if (height !== (last?.height ?? 0) || (last !== undefined && stateRoot !== last.nextStateRoot))
    throw new ProofError(
      `the events end with batch ${last?.height ?? 0}, the contract is at batch ${height}`,
    );
  return recovery;
}
