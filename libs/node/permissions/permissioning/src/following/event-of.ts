import { decodeEvent, type PermissionModel } from '@tetrad/node-permission-contracts';
import type { Log } from '@tetrad/types';
import { isNodeNamed, nodeUrlOf } from '../records/node-url.js';
import type { PermissionEvent } from '../records/events.js';

/**
 * The change of records in a log of the contracts.
 * @returns undefined for events of voters and votes, of what names no node, and for logs that are not of the model
 * @throws Error when the data does not match the topic
 */
export function eventOf(
  log: Log,
  network: { readonly model: PermissionModel; readonly isRaft: boolean },
): PermissionEvent | undefined {
  const event = decodeEvent(network.model, log);
  switch (event?.name) {
    case undefined:
    case 'VoterAdded':
    case 'VoterDeleted':
    case 'VotingItemAdded':
    case 'VoteProcessed':
      return undefined;
    case 'NodeProposed':
    case 'NodeApproved':
    case 'NodeDeactivated':
    case 'NodeActivated':
    case 'NodeBlacklisted':
    case 'NodeRecoveryInitiated':
    case 'NodeRecoveryCompleted':
      if (!isNodeNamed(event, network.model)) return undefined;
      return { name: event.name, orgId: event.orgId, url: nodeUrlOf(event, network) };
    default:
      return event;
  }
}
