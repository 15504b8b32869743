import type { WorldState } from '@tetrad/node-execution';
import { MAX_SHARED_SLOTS, MAX_SHARED_STATE_BYTES, dumpContract } from '@tetrad/node-private-state';
import { RequestError, type Address, type Hash } from '@tetrad/types';

/** The state of a contract in the form in which it is shared. */
export interface ReadState {
  readonly payload: Uint8Array;
  readonly storageRoot: Hash;
}

/**
 * Cost: reads every slot
 *
 * @param world - private state
 * @throws RequestError NOT_A_PRIVATE_CONTRACT; STORAGE_TOO_LARGE
 */
export async function readState(world: WorldState, contract: Address): Promise<ReadState> {
  const found = await dumpContract(world, contract);
  if (found === undefined)
    throw new RequestError(
      'NOT_A_PRIVATE_CONTRACT',
      'extending a non-existent private contract!!! not allowed',
    );
  if (found === 'tooLarge')
    throw new RequestError(
      'STORAGE_TOO_LARGE',
      `the state of the contract is more than ${MAX_SHARED_STATE_BYTES} bytes or ${MAX_SHARED_SLOTS} slots, and cannot be shared`,
    );
  return { payload: found.payload, storageRoot: found.state.storageRoot };
}
