import type { ExtensionInspectionView } from '@tetrad/api-node';
import type { Hash } from '@tetrad/types';
import type { KnownContracts } from './known-contracts.js';

/**
 * Text for people.
 * @param names - undefined where the operator gave none
 */
export function describeInspection(view: ExtensionInspectionView, names: KnownContracts | undefined): string {
  const { block, contract, held, extensions, extensionCount } = view;
  const more = extensionCount - extensions.length;
  return [
    line('contract', `${contract} at block ${block}`),
    ...(held === undefined ? NOT_HELD : describeHeld(held, view.limits, names)),
    ...(extensionCount === 0
      ? [line('extension', 'none in progress')]
      : extensions.flatMap((one) => describeOne(one, names))),
    ...(more > 0 ? [line('extension', `and ${more} more in progress`)] : []),
  ].join('\n');
}

function line(name: string, text: string): string {
  return `${name.padEnd(LONGEST)}  ${text}`;
}

const LONGEST = 'management'.length;

const NOT_HELD = [line('state', 'this node does not have the contract: what parties say of it follows')];

type Held = NonNullable<ExtensionInspectionView['held']>;

function describeHeld(
  held: Held,
  limits: ExtensionInspectionView['limits'],
  names: KnownContracts | undefined,
): string[] {
  const { codeHash, codeBytes, storageRoot, balance, nonce, privacyFlag, slots, sharedBytes } = held;
  const parties = held.parties ?? ['not recorded for contracts of privacy flag 0'];
  const size =
    slots === undefined
      ? `more than ${limits.slots} slots`
      : `${slots} of at most ${limits.slots} slots, ${sharedBytes} of at most ${limits.bytes} bytes`;
  return [
    line('code', `${codeBytes} bytes, hash ${named(codeHash, names)}`),
    line('storage', `root ${storageRoot}`),
    line('account', `balance ${balance} wei, nonce ${nonce}`),
    line('privacy', `flag ${privacyFlag}`),
    ...parties.map((party) => line('party', party)),
    line('shared', held.isShareable ? size : `${size}: too large to be extended`),
    ...held.refersTo.map((one) => line('refers to', describeReferred(one))),
    ...(held.isSearchComplete
      ? []
      : [line('refers to', 'perhaps more: not all of code and storage was searched')]),
  ];
}

function describeReferred({ address, foundIn, isWithNewParty }: Held['refersTo'][number]): string {
  const found = `private contract ${address} in its ${foundIn}`;
  if (isWithNewParty === undefined)
    return `${found}; calls to it fail at a party that does not have it: extend it first`;
  return isWithNewParty
    ? `${found}, which the new party has`
    : `${found}, which the new party does not have: calls to it fail there until it is extended too`;
}

function describeOne(
  extension: ExtensionInspectionView['extensions'][number],
  names: KnownContracts | undefined,
): string[] {
  const { managementContractAddress, managementCodeHash, votes, isApproved } = extension;
  const code = managementCodeHash === undefined ? 'no code' : `code hash ${managementCodeHash}`;
  const state = isApproved ? 'approved, the state is not shared yet' : 'not approved yet';
  return [
    line('extension', `${state}; this node is ${roleOf(extension)}`),
    line('management', `${managementContractAddress}, ${code}`),
    line('initiator', `${extension.initiator}, key ${extension.initiatorPtmKey ?? 'not known'}`),
    line('recipient', `${extension.recipient}, key ${extension.recipientPtmKey}`),
    ...extension.parties.map((party) => line('sent to', party)),
    ...votes.map(({ account, hasVoted }) =>
      line('vote', `${account} ${hasVoted ? 'voted' : 'has not voted'}`),
    ),
    ...(votes.length === 0 ? [line('vote', 'the management contract does not answer as one')] : []),
    ...(extension.heard ?? []).map((one) => describeHeard(one, names)),
  ];
}

type Heard = NonNullable<ExtensionInspectionView['extensions'][number]['heard']>[number];

const VERBS = {
  stated: 'states',
  confirmed: 'confirms',
  contradicted: 'contradicts the initiator:',
} as const;

function describeHeard(
  { ptmKey, answer, node = '', codeHash, storageRoot, balance, nonce }: Heard,
  names: KnownContracts | undefined,
): string {
  if (answer === 'silent' || codeHash === undefined)
    return line('says', `${ptmKey} not confirmed: no answer`);
  const code = `code hash ${named(codeHash, names)}`;
  const account = `balance ${balance} wei, nonce ${nonce}`;
  const state = `${code}; storage root ${storageRoot}; ${account}; signed by node ${node.slice(0, 16)}`;
  return line('says', `${ptmKey} ${VERBS[answer]} ${state}`);
}

function named(codeHash: Hash, names: KnownContracts | undefined): string {
  if (names === undefined) return codeHash;
  const name = names.get(codeHash);
  return name === undefined ? `${codeHash} of no known contract` : `${codeHash} of ${name}`;
}

function roleOf({
  isInitiator,
  isRecipient,
}: Pick<ExtensionInspectionView['extensions'][number], 'isInitiator' | 'isRecipient'>): string {
  if (isInitiator) return isRecipient ? 'the initiator and the recipient' : 'the initiator';
  return isRecipient ? 'the recipient' : 'another party';
}
