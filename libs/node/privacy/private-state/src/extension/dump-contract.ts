import { dumpAccount, type AccountDump, type WorldState } from '@tetrad/node-execution';
import type { Address, Hash, Hex } from '@tetrad/types';
import { MAX_SHARED_STATE_BYTES, encodeSharedState, type SharedState } from './shared-state.js';

/** Maximum number of slots of a contract that travels; the bound in bytes is lower, unless most values are small. */
export const MAX_SHARED_SLOTS = 100_000;

/** A whole contract, and the payload in which it travels. */
export interface DumpedContract {
  readonly state: SharedState;
  readonly payload: Uint8Array;
}

/**
 * Cost: reads every slot
 *
 * @param world - private state
 * @returns `tooLarge` above `MAX_SHARED_SLOTS` or `MAX_SHARED_STATE_BYTES`; undefined without such an account
 */
export async function dumpContract(
  world: WorldState,
  contract: Address,
): Promise<DumpedContract | 'tooLarge' | undefined> {
  const account = await dumpAccount(world, contract, MAX_SHARED_SLOTS);
  if (account === 'tooLarge' || account === undefined) return account;
  const state = withSlots(account);
  const payload = encodeSharedState(contract, state);
  return payload.length > MAX_SHARED_STATE_BYTES ? 'tooLarge' : { state, payload };
}

/** The account in the form that is encoded. */
export function withSlots(account: AccountDump): SharedState {
  const slots = Object.entries(account.storage).map(
    ([slot, value]) => [slot as Hash, `0x${value}` as Hex] as const,
  );
  return { ...account, storage: new Map(slots) };
}
