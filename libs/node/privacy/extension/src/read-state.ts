import { dumpAccount, type AccountDump, type WorldState } from '@tetrad/node-execution';
import { MAX_SHARED_STATE_BYTES, encodeSharedState, type SharedState } from '@tetrad/node-private-state';
import { RequestError, type Address, type Hash, type Hex } from '@tetrad/types';

/** Maximum number of slots of an extended contract; the bound in bytes is lower, unless most values are small. */
export const MAX_SHARED_SLOTS = 100_000;

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
  const account = await dumpAccount(world, contract, MAX_SHARED_SLOTS);
  if (account === undefined)
    throw new RequestError(
      'NOT_A_PRIVATE_CONTRACT',
      'extending a non-existent private contract!!! not allowed',
    );
  const payload = account === 'tooLarge' ? undefined : encodeSharedState(contract, withSlots(account));
  if (account === 'tooLarge' || payload === undefined || payload.length > MAX_SHARED_STATE_BYTES)
    throw new RequestError(
      'STORAGE_TOO_LARGE',
      `the state of the contract is more than ${MAX_SHARED_STATE_BYTES} bytes or ${MAX_SHARED_SLOTS} slots, and cannot be shared`,
    );
  return { payload, storageRoot: account.storageRoot };
}

/** The account in the form that is encoded. */
export function withSlots(account: AccountDump): SharedState {
  const slots = Object.entries(account.storage).map(
    ([slot, value]) => [slot as Hash, `0x${value}` as Hex] as const,
  );
  return { ...account, storage: new Map(slots) };
}
