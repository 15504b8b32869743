import { readManagementEvent } from '../management/management-events.js';
import type { ExtensionChanges, StoredExtension } from '@tetrad/node-store';
import { bytesFromHex, isPtmKey, type Address, type Log, type PtmKey } from '@tetrad/types';
import type { PrivateResult } from '../execution/private-execution.js';

/** The changes of extensions by a block's private transactions, from the events of management contracts. */
export function extensionChanges(results: readonly PrivateResult[]): ExtensionChanges {
  const started: StoredExtension[] = [];
  const approved: Address[] = [];
  const finished: Address[] = [];
  for (const result of results) {
    for (const log of result.receipt.logs) {
      const event = readManagementEvent(log);
      if (event?.kind === 'created') started.push(...startedBy(result, log));
      else if (event?.kind === 'shareable') approved.push(log.address);
      // The first shared state ends the extension, whatever events follow.
      else if (event?.kind === 'finished' || event?.kind === 'stateShared') finished.push(log.address);
    }
  }
  return { started, approved, finished };
}

/** The extension of a management contract that the transaction created; the event of any other contract is ignored. */
function startedBy({ transaction, receipt, origin }: PrivateResult, log: Log): StoredExtension[] {
  const event = readManagementEvent(log);
  if (event?.kind !== 'created' || origin === undefined || receipt.contractAddress !== log.address) return [];
  const { contract, recipient, recipientKey } = event;
  if (!isPtmKey(recipientKey)) return [];
  const { hash, sender, managedParties } = origin;
  // An old manager does not report its keys: then every extension may be this node's.
  const isOwn = (key: PtmKey | undefined) =>
    managedParties === undefined || (key !== undefined && managedParties.includes(key));
  return [
    {
      management: log.address,
      contract,
      recipient,
      recipientKey: recipientKey as PtmKey,
      initiator: transaction.sender,
      creation: bytesFromHex(hash),
      isInitiator: isOwn(sender),
      isRecipient: isOwn(recipientKey as PtmKey),
    },
  ];
}
