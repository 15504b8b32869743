import type { Inspection } from '../api/privacy-shapes.js';
import type { ProposedWrite } from '../writes/write.js';

type Extension = Inspection['extensions'][number];

/** What a node may do about an extension. */
export type ExtensionAction = 'approve' | 'decline' | 'cancel';

/** What the node that says this of an extension may do about it now. */
export function actionsOn({ isInitiator, isRecipient, recipient, votes }: Extension): ExtensionAction[] {
  const hasVoted = votes.some(({ account, hasVoted: voted }) => account === recipient && voted);
  return [
    ...(isRecipient && !hasVoted ? (['approve', 'decline'] as const) : []),
    ...(isInitiator ? (['cancel'] as const) : []),
  ];
}

const TITLES: Readonly<Record<ExtensionAction, string>> = {
  approve: 'Approve the extension',
  decline: 'Decline the extension',
  cancel: 'Cancel the extension',
};

/**
 * The write of an action. It is private between the two nodes, as the management contract is: the other one's key is in
 * `privateFor`. Undefined where the node does not know that key.
 */
export function extensionWrite(
  node: string,
  action: ExtensionAction,
  extension: Extension,
): ProposedWrite | undefined {
  const { managementContractAddress: management, initiator, recipient } = extension;
  const [from, other] =
    action === 'cancel' ? [initiator, extension.recipientPtmKey] : [recipient, extension.initiatorPtmKey];
  if (other === undefined) return undefined;
  const vote = action === 'cancel' ? [] : [action === 'approve'];
  return {
    title: TITLES[action],
    at: { kind: 'node', name: node },
    from,
    method: `chainExtension_${action === 'cancel' ? 'cancelExtension' : 'approveExtension'}`,
    params: [management, ...vote, { from, privateFor: [other] }],
  };
}
