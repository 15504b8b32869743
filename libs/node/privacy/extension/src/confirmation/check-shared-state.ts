import { compareStated, stateDigest } from '@tetrad/node-agreement';
import type { Known, SharedStateOffer } from '@tetrad/node-private-state';
import type { PrivateStateStore } from '@tetrad/node-store';
import { bytesFromHex, type Logger, type PtmKey } from '@tetrad/types';
import type { ExtensionManager } from '../manager-answers.js';
import type { Confirmations } from './confirmations.js';

/**
 * When a shared state becomes a contract of this node: unless a party contradicts it, only if all parties confirm it, or
 * without asking them.
 */
export type ConfirmationRule = 'unless-contradicted' | 'all' | 'off';

export interface CheckParts {
  readonly rule: ConfirmationRule;
  readonly waitMs: number;
  readonly confirmations: Pick<Confirmations, 'ask'>;
  readonly store: Pick<PrivateStateStore, 'findAnyExtension'>;
  readonly manager: Pick<ExtensionManager, 'participants' | 'receive'>;
  readonly logger: Logger;
}

/**
 * Whether the state that an extension shares with this node is to become its contract, by what the contract's parties say.
 * @returns `unavailable` when this node's manager does not answer, or the node stops
 */
export async function checkSharedState(parts: CheckParts, offer: SharedStateOffer): Promise<Known<boolean>> {
  const { rule, waitMs, confirmations, store, manager, logger } = parts;
  const { management, contract, block } = offer;
  const row = await store.findAnyExtension(management);
  if (rule === 'off' || row === undefined) return { kind: 'known', value: true };
  const started = await manager.receive(row.creation);
  if (started.kind === 'unknown') return { kind: 'unavailable', reason: started.reason };
  const { sender: initiatorKey, managedParties: ownKeys = [] } =
    started.kind === 'found' ? started.value : { sender: undefined };
  // An old manager does not report senders, so there is no key to ask or to trust.
  if (initiatorKey === undefined) return { kind: 'known', value: rule !== 'all' };
  const recipients = await manager.participants(bytesFromHex(offer.stateHash));
  if (recipients.kind === 'unknown') return { kind: 'unavailable', reason: recipients.reason };
  const wanted = stateDigest(offer.state);
  const answers = await confirmations.ask(
    {
      contract,
      management,
      recipientKey: row.recipientKey,
      initiatorKey,
      wanted,
      knownParties: without(recipients.kind === 'found' ? recipients.value : [], ownKeys),
      firstBlock: Math.min(row.approvedBlock ?? block - 1, block - 1),
      lastBlock: block - 1,
    },
    waitMs,
  );
  if (answers === undefined)
    return { kind: 'unavailable', reason: 'the parties of a contract cannot be asked' };
  const verdict = compareStated(wanted, answers.parties, (key) => answers.statements.get(key)?.state);
  const isAccepted = verdict.contradicted.length === 0 && (rule !== 'all' || verdict.silent.length === 0);
  const report = { contract, management, ...verdict };
  if (isAccepted) logger.info('a shared state was accepted', report);
  else logger.error('a shared state was refused', report);
  return { kind: 'known', value: isAccepted };
}

function without(keys: readonly PtmKey[], own: readonly PtmKey[]): PtmKey[] {
  return keys.filter((key) => !own.includes(key));
}
