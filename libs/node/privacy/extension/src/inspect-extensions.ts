import type { WorldState } from '@tetrad/node-execution';
import type { ActiveExtension } from '@tetrad/node-store';
import { RequestError, type Address, type Hash, type PtmKey } from '@tetrad/types';
import type { Confirmations } from './confirmation/confirmations.js';
import { hearParties, type HeardParty } from './confirmation/hear-parties.js';
import type { ManagementContracts } from './management-contracts.js';
import { stored, type ExtensionManager } from './manager-answers.js';

/** An active extension, with what its management contract says. */
export interface InspectedExtension extends ActiveExtension {
  /** Code of the management contract; undefined where it is gone. */
  readonly managementCodeHash: Hash | undefined;
  /** Of the initiating node's manager; undefined when this node's manager does not report it. */
  readonly initiatorKey: PtmKey | undefined;
  /** Parties of the management contract as far as this node's manager knows them: all, for its initiator. */
  readonly parties: readonly PtmKey[];
  /** Empty for a contract that does not answer as management contracts do. */
  readonly votes: readonly { readonly account: Address; readonly hasVoted: boolean }[];
  /** What the contract's parties say of it, at the recipient; undefined elsewhere, and where they are not asked. */
  readonly heard: readonly HeardParty[] | undefined;
}

/** How parties are asked. */
export interface Hearing {
  readonly confirmations: Pick<Confirmations, 'ask'>;
  readonly waitMs: number;
}

interface Parts {
  /** Undefined where the parties of contracts are not asked. */
  readonly hearing: Hearing | undefined;
  readonly manager: ExtensionManager;
  readonly management: Pick<ManagementContracts, 'read'>;
}

/** Of so many extensions of one contract the votes are read; anyone may begin one that names it. */
const MAX_INSPECTED = 16;
/** Of so many the parties are asked, at the same time. */
const MAX_HEARD = 4;

/**
 * @param options.world - private state at the head
 * @throws RequestError TRANSACTION_MANAGER_UNAVAILABLE, PRIVATE_STATE_NOT_AVAILABLE
 */
export async function inspectExtensions(
  parts: Parts,
  { block, world }: { readonly block: number; readonly world: WorldState },
  rows: readonly ActiveExtension[],
): Promise<InspectedExtension[]> {
  const inspected: InspectedExtension[] = [];
  for (const row of rows.slice(0, MAX_INSPECTED)) {
    const { manager, management } = parts;
    inspected.push({
      ...row,
      managementCodeHash: (await world.findAccount(row.management))?.codeHash,
      initiatorKey: stored(await manager.receive(row.creation))?.sender,
      parties: stored(await manager.participants(row.creation)) ?? [],
      votes: await readVotes(management, row.management),
      heard: undefined,
    });
  }
  const offered = inspected.filter(({ isRecipient, isInitiator }) => isRecipient && !isInitiator);
  const heard = await Promise.all(offered.slice(0, MAX_HEARD).map((one) => hear(parts, one, block)));
  return inspected.map((one) => ({ ...one, heard: heard[offered.indexOf(one)] }));
}

async function hear(
  { hearing }: Pick<Parts, 'hearing'>,
  extension: InspectedExtension,
  block: number,
): Promise<readonly HeardParty[] | undefined> {
  const { initiatorKey } = extension;
  if (hearing === undefined || initiatorKey === undefined) return undefined;
  const { confirmations, waitMs } = hearing;
  // Its manager counts this node's own keys among the parties of the management contract, and no other.
  return hearParties(confirmations, extension, { initiatorKey, knownParties: [], block, waitMs });
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
