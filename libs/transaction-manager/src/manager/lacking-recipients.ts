import type { PtmKey } from '@tetrad/types';
import { ManagerError } from '../manager-error.js';
import { toBase64 } from '../payload/base64.js';
import { findKnownPayloads, type LookupParts } from './affected-payloads.js';

/** A contract that a recipient said does not count there. */
export interface DroppedContract {
  readonly recipient: PtmKey;
  /** Of the payload of its creation, 64 bytes. */
  readonly hash: Uint8Array;
}

/** Lines of one error. */
const MAX_LINES = 10;

/**
 * Refuses a transaction that affects a contract which a recipient is a party to and has lost: its private state would
 * silently diverge from then on. Recipients that are not parties to every contract are ordinary; the parties of a creation
 * are known to its sender, and to all parties when they validate state.
 * @throws ManagerError 403
 */
export async function refuseLacking(dropped: readonly DroppedContract[], parts: LookupParts): Promise<void> {
  if (dropped.length === 0) return;
  const hashes = [...new Map(dropped.map(({ hash }) => [toBase64(hash), hash])).values()];
  // Only the parties of the creations are looked at, not what would prove them.
  const known = await findKnownPayloads(hashes, new Uint8Array(), parts);
  const lines = dropped.flatMap(({ recipient, hash }) => {
    const creation = known.get(toBase64(hash))?.payload;
    const isParty = creation?.recipientKeys.includes(recipient) === true || creation?.sender === recipient;
    return isParty
      ? [`Recipient ${recipient} lacks the affected contract transaction ${toBase64(hash)}`]
      : [];
  });
  if (lines.length > 0) throw new ManagerError('forbidden', lines.slice(0, MAX_LINES).join('\n'));
}
