import type { WorldState } from '@tetrad/node-execution';
import type { ActiveExtensionRow } from '@tetrad/node-store';
import { RequestError, type Address, type Hash, type PtmKey } from '@tetrad/types';
import type { ManagementContracts } from './management-contracts.js';
import { stored, type ExtensionManager } from './manager-answers.js';

/** An active extension, with what its management contract says. */
export interface InspectedExtension extends ActiveExtensionRow {
  /** Code of the management contract; undefined where it is gone. */
  readonly managementCodeHash: Hash | undefined;
  /** Of the initiating node's manager; undefined when this node's manager does not report it. */
  readonly initiatorKey: PtmKey | undefined;
  /** Parties of the management contract as far as this node's manager knows them: all, for its initiator. */
  readonly parties: readonly PtmKey[];
  /** Empty for a contract that does not answer as management contracts do. */
  readonly votes: readonly { readonly account: Address; readonly hasVoted: boolean }[];
}

interface Parts {
  readonly manager: ExtensionManager;
  readonly management: Pick<ManagementContracts, 'read'>;
}

/** Of so many extensions of one contract the votes are read; anyone may begin one that names it. */
const MOST_INSPECTED = 16;

/** In: world — private state at the head. Fails: RequestError TRANSACTION_MANAGER_UNAVAILABLE, PRIVATE_STATE_NOT_AVAILABLE */
export async function inspectExtensions(
  parts: Parts,
  world: WorldState,
  rows: readonly ActiveExtensionRow[],
): Promise<InspectedExtension[]> {
  const inspected: InspectedExtension[] = [];
  for (const row of rows.slice(0, MOST_INSPECTED)) {
    const { manager, management } = parts;
    inspected.push({
      ...row,
      managementCodeHash: (await world.findAccount(row.management))?.codeHash,
      initiatorKey: stored(await manager.receive(row.creation))?.sender,
      parties: stored(await manager.participants(row.creation)) ?? [],
      votes: await readVotes(management, row.management),
    });
  }
  return inspected;
}

async function readVotes(
  management: Parts['management'],
  address: Address,
): Promise<InspectedExtension['votes']> {
  try {
    const { voters, creator } = await management.read(address, address);
    const votes = [];
    for (const account of new Set([creator, ...voters]))
      votes.push({ account, hasVoted: (await management.read(address, account)).hasVoted });
    return votes;
  } catch (error) {
    if (error instanceof RequestError && error.code === 'NO_MANAGEMENT_CONTRACT') return [];
    throw error;
  }
}
