import { applyOverrides, type WorldState } from '@tetrad/node-execution';
import type { StoredRepair } from '@tetrad/node-store';
import { parseHash, type Hash, type Hex } from '@tetrad/types';
import { dumpContract } from '../extension/dump-contract.js';
import type { DueRepair } from './repair-source.js';

/**
 * Replaces contracts in a world, after the transactions of a block.
 *
 * Cost: every slot before and after is read and hashed
 *
 * @returns the rows of those that were replaced
 * @throws Error when an account has not become what it was to be
 */
export async function writeRepairs(world: WorldState, due: readonly DueRepair[]): Promise<StoredRepair[]> {
  const rows: StoredRepair[] = [];
  for (const repair of due) {
    const row = repair.record(await dumpContract(world, repair.contract));
    if (row === undefined) continue;
    const { contract, state } = repair;
    const { balance, nonce, code } = state;
    const slots = new Map([...state.storage].map(([slot, value]) => [slot, wordOf(value)]));
    await applyOverrides(world, new Map([[contract, { balance, nonce, code, state: slots }]]));
    const after = await (await world.settled()).findAccount(contract);
    if (after?.storageRoot !== state.storageRoot || after.codeHash !== state.codeHash)
      throw new Error(`contract ${contract} has not become what it was repaired to`);
    rows.push(row);
  }
  return rows;
}

function wordOf(value: Hex): Hash {
  return parseHash(`0x${value.slice(2).padStart(64, '0')}`);
}
