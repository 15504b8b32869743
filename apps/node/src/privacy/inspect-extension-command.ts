import { chainExtensionInspectionMethods, type ExtensionInspectionView } from '@tetrad/api-node';
import { RpcCallError, RpcTransportError, createRpcClient } from '@tetrad/rpc';
import {
  defineOptions,
  option,
  secretFileOption,
  textOption,
  urlOption,
  type ConfigOf,
} from '@tetrad/service';
import { OperatorError, firstLine, isPtmKey, parsePtmKey } from '@tetrad/types';
import { addressOption } from '../permissions/address-option.js';

const NODE = 'Node';
const QUESTION = 'Question';

export const inspectOptions = defineOptions({
  rpcUrl: option(urlOption('http', 'https'), {
    group: NODE,
    description: 'JSON-RPC of the node of a party, or of the one that is asked to become one.',
    default: new URL('http://127.0.0.1:22000'),
  }),
  rpcTokenFile: option(secretFileOption(), {
    group: NODE,
    description: 'File with a token for a node that requires one.',
  }),
  address: option(addressOption(), {
    group: QUESTION,
    description: 'Private contract, or the management contract of an active extension of it; the first word.',
  }),
  to: option(textOption('KEY'), {
    group: QUESTION,
    description:
      'Manager key of the new party; that of the active extension when absent and there is only one.',
  }),
});

/** Reads up to 100,000 slots. */
const CALL_TIMEOUT_MS = 60_000;
/** An answer has at most 100 contracts and 16 extensions, each with its parties. */
const MAX_ANSWER_BYTES = 16_000_000;

/** `ADDRESS` as the option that it stands for. */
export function inspectArguments(argv: readonly string[]): readonly string[] {
  const [first, ...others] = argv;
  return first === undefined || first.startsWith('-') ? argv : ['--address', first, ...others];
}

/** Asks a node what it knows of a contract and its extensions. Out: text for people. Fails: OperatorError */
export async function inspectExtension(config: ConfigOf<typeof inspectOptions>): Promise<string> {
  const { rpcUrl, rpcTokenFile, address, to } = config;
  if (address === undefined) throw new OperatorError('say what to inspect: the address of a contract');
  if (to !== undefined && !isPtmKey(to))
    throw new OperatorError('--to must be the key of a transaction manager: base64 of 32 bytes');
  const token = rpcTokenFile === undefined ? undefined : firstLine(rpcTokenFile.reveal());
  const client = createRpcClient(chainExtensionInspectionMethods, {
    ...{ url: rpcUrl.href, timeoutMs: CALL_TIMEOUT_MS, maxAnswerBytes: MAX_ANSWER_BYTES, connections: 1 },
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  });
  try {
    const newParty = to === undefined ? undefined : parsePtmKey(to);
    return describeInspection(await client.call('chainExtension_inspect', [address, newParty]));
  } catch (error) {
    if (error instanceof RpcCallError || error instanceof RpcTransportError)
      throw new OperatorError(`${rpcUrl.href}: ${error.message}`, { cause: error });
    throw error;
  } finally {
    await client.close();
  }
}

function describeInspection(view: ExtensionInspectionView): string {
  const { block, contract, held, extensions, extensionCount } = view;
  const more = extensionCount - extensions.length;
  return [
    line('contract', `${contract} at block ${block}`),
    ...(held === undefined ? NOT_HELD : describeHeld(held, view.limits)),
    ...(extensionCount === 0 ? [line('extension', 'none in progress')] : extensions.flatMap(describeOne)),
    ...(more > 0 ? [line('extension', `and ${more} more in progress`)] : []),
  ].join('\n');
}

function line(name: string, text: string): string {
  return `${name.padEnd(LONGEST)}  ${text}`;
}

const LONGEST = 'management'.length;

const NOT_HELD = [
  line('state', 'this node does not have the contract: ask a party for the code hash and the storage root'),
];

type Held = NonNullable<ExtensionInspectionView['held']>;

function describeHeld(held: Held, limits: ExtensionInspectionView['limits']): string[] {
  const { codeHash, codeBytes, storageRoot, balance, nonce, privacyFlag, slots, sharedBytes } = held;
  const parties = held.parties ?? ['not recorded for contracts of privacy flag 0'];
  const size =
    slots === undefined
      ? `more than ${limits.slots} slots`
      : `${slots} of at most ${limits.slots} slots, ${sharedBytes} of at most ${limits.bytes} bytes`;
  return [
    line('code', `${codeBytes} bytes, hash ${codeHash}`),
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

function describeOne(extension: ExtensionInspectionView['extensions'][number]): string[] {
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
  ];
}

function roleOf({
  isInitiator,
  isRecipient,
}: Pick<ExtensionInspectionView['extensions'][number], 'isInitiator' | 'isRecipient'>): string {
  if (isInitiator) return isRecipient ? 'the initiator and the recipient' : 'the initiator';
  return isRecipient ? 'the recipient' : 'another party';
}
