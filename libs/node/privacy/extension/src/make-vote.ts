import { payloadHash, type PayloadHash } from '@tetrad/node-private-state';
import { addressToBytes, type Address, type PtmKey } from '@tetrad/types';
import { done, type ExtensionManager } from './manager-answers.js';

/** A payload without privacy flags. */
const STANDARD = { privacyFlag: 0, affected: [], execHash: '', mandatoryFor: [] } as const;

/**
 * Stores the payload with the manager by which it later recognizes this node's vote: the address of the management contract,
 * encrypted for the node's own key. It is sent to the parties.
 *
 * Source: docs/spec/contract-extension.md#votes
 *
 * @returns hash of the payload, which the vote carries
 */
export async function makeVote(
  manager: ExtensionManager,
  management: Address,
  { from, to }: { readonly from: PtmKey | undefined; readonly to: readonly PtmKey[] },
): Promise<PayloadHash> {
  const payload = done(await manager.encrypt(addressToBytes(management), from));
  return payloadHash(done(await manager.send({ ...STANDARD, payload, from, to })).hash);
}
