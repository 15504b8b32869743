import { stateBytes } from '@tetrad/node-agreement';
import { decodeSharedState, isWholeState } from '@tetrad/node-private-state';
import type { RepairStore, StoredRepair } from '@tetrad/node-store';
import { OperatorError, type Address, type Hash } from '@tetrad/types';
import type { PartyStates } from '@tetrad/node-extension';

/** A contract whose state did not come from the chain's transactions alone. */
export interface VerifiedRepair {
  readonly block: number;
  readonly contract: Address;
  readonly storageRoot: Hash;
}

/**
 * Compares what is recorded of each repair with private state after its block.
 * @throws OperatorError for the first that differs
 */
export async function verifyRepairs(
  store: Pick<RepairStore, 'listBlocks' | 'listAt'>,
  { findState }: Pick<PartyStates, 'findState'>,
): Promise<VerifiedRepair[]> {
  const verified: VerifiedRepair[] = [];
  for (const block of await store.listBlocks())
    for (const repair of await store.listAt(block)) {
      const { contract } = repair;
      const found = await findState(contract, block);
      const recorded = wholeOf(repair);
      const isEqual = found !== undefined && isSame(stateBytes(found), repair.stateAfter);
      if (!isEqual || recorded === undefined || !isSame(stateBytes(recorded), repair.stateAfter))
        throw new OperatorError(
          `block ${block}: contract ${contract} is not what the record of its repair says`,
        );
      verified.push({ block, contract, storageRoot: found.storageRoot });
    }
  return verified;
}

function wholeOf({ payloadAfter, contract }: StoredRepair) {
  const state = decodeSharedState(payloadAfter, contract);
  return state !== undefined && isWholeState(state) ? state : undefined;
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
