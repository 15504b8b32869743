import type { SigningKey } from '@tetrad/crypto';
import { stateDigest, type ContractState } from '@tetrad/node-agreement';
import type { PrivateStateStore } from '@tetrad/node-store';
import { ZERO_HASH, type Address, type Hash, type PtmKey } from '@tetrad/types';
import { stored, type ExtensionManager } from '../manager-answers.js';
import type { KnownParties } from './known-parties.js';
import type { PartyMail } from './party-mail.js';
import type { PartyStates } from './party-states.js';
import { encodeQuestion, type StateQuestion } from './state-question.js';
import { MAX_PARTIES, signStatement } from './state-statement.js';

export interface AnsweringParts {
  readonly chainId: bigint;
  readonly nodeKey: Pick<SigningKey, 'sign'>;
  readonly mail: PartyMail;
  readonly states: PartyStates;
  readonly store: Pick<PrivateStateStore, 'findAnyExtension'>;
  readonly manager: Pick<ExtensionManager, 'receive'>;
  readonly partiesOf: (contract: Address) => Promise<KnownParties>;
}

/** A question as this node's manager received it. */
export interface ReceivedQuestion {
  readonly question: StateQuestion;
  /** Manager key of the sender. */
  readonly sender: PtmKey;
  /** Key of this node's manager to which it was sent. */
  readonly to: PtmKey | undefined;
}

/** Blocks that are searched for a state at most, from the last. */
const MAX_SEARCHED = 256;

/**
 * Answers a question about a contract with a signed statement, if the sender may ask: it is the recipient of an extension that
 * a party began, or a party of the contract, which asks for the recipient. The initiator of the extension passes the
 * question of the recipient on to the other parties, and names them.
 * @throws RequestError TRANSACTION_MANAGER_REFUSED, TRANSACTION_MANAGER_UNAVAILABLE, PRIVATE_STATE_NOT_AVAILABLE
 */
export async function answerQuestion(parts: AnsweringParts, received: ReceivedQuestion): Promise<void> {
  const { question, sender, to } = received;
  const { chainId, contract, management, recipientKey } = question;
  if (chainId !== parts.chainId || to === undefined) return;
  const row = await parts.store.findAnyExtension(management);
  if (row !== undefined && (row.contract !== contract || row.recipientKey !== recipientKey)) return;
  const isRecipients = sender === recipientKey;
  const creation = row && stored(await parts.manager.receive(row.creation));
  const known = await parts.partiesOf(contract);
  const asking = isRecipients ? creation?.sender : sender;
  if (asking === undefined || !known.parties.has(asking)) return;
  const found = await findState(parts.states, question);
  if (found === undefined) return;
  const isInitiators = isRecipients && row?.isInitiator === true;
  const others = isInitiators ? othersOf(known, [recipientKey, to]) : [];
  const statement = { ...question, ...found, party: to, parties: others };
  await parts.mail.send(await signStatement(statement, parts.nodeKey), to, recipientKey);
  // A party that cannot be reached must not keep the others from being asked.
  await Promise.allSettled(others.map((key) => parts.mail.send(encodeQuestion(question), to, key)));
}

function othersOf({ parties, own }: KnownParties, not: readonly PtmKey[]): PtmKey[] {
  return [...parties].filter((key) => !not.includes(key) && !own.has(key)).slice(0, MAX_PARTIES);
}

interface FoundState {
  readonly block: number;
  readonly blockHash: Hash;
  readonly state: ContractState;
}

/** The wanted state in the newest block that has it, otherwise the state in the last block. */
async function findState(states: PartyStates, question: StateQuestion): Promise<FoundState | undefined> {
  const { contract, firstBlock, lastBlock, lastHash, wanted } = question;
  await states.demand(lastBlock);
  if ((await states.hashOf(lastBlock)) !== lastHash) return undefined;
  const last = await states.findState(contract, lastBlock);
  if (last === undefined) return undefined;
  const newest = { block: lastBlock, blockHash: lastHash, state: last };
  if (wanted === ZERO_HASH || stateDigest(last) === wanted) return newest;
  let seen = await states.rootAt(lastBlock);
  const first = Math.max(firstBlock, lastBlock - MAX_SEARCHED);
  for (let block = lastBlock - 1; block >= first; block--) {
    const root = await states.rootAt(block);
    if (root === seen) continue;
    seen = root;
    const state = await states.findState(contract, block);
    if (state === undefined || stateDigest(state) !== wanted) continue;
    const blockHash = await states.hashOf(block);
    return blockHash && { block, blockHash, state };
  }
  return newest;
}
