import type { NodeId } from '@tetrad/node-peer';
import { RequestError, ZERO_ADDRESS, isAddress, parseAddress, type Address } from '@tetrad/types';
import type { PermissionedState } from '../operations/permissioned-state.js';
import { isTransactionAllowed } from '../operations/questions.js';
import type { NodeLists } from '../node-lists/node-lists.js';
import { nodeIdIn } from '../records/node-url.js';
import {
  allowed,
  refused,
  type ExplainedAction,
  type Explanation,
  type TransactionKind,
} from './explanation.js';
import { checkExtension, checkSubmission, checkTransaction } from './check-account.js';
import { checkConnection } from './check-node.js';
import { checkOrg } from './check-org.js';

/** What is asked about. */
export type ExplainedSubject = 'account' | 'node' | 'org';

export interface PermissionQuestion {
  readonly subject: ExplainedSubject;
  /** Address of an account, enode URL or id of a node, full id of an organization. */
  readonly id: string;
  /** For accounts a kind of transaction or `extend`, a transfer when absent; `connect` for nodes; none for organizations. */
  readonly action?: ExplainedAction | undefined;
  /** Recipient of a transaction; any other when absent. */
  readonly to?: Address | undefined;
}

export interface ExplainingParts {
  readonly state: PermissionedState;
  readonly lists: Pick<NodeLists, 'allows'>;
  /** Id of this node, through which an account would send. */
  readonly ownId: NodeId;
}

/** Placeholder for any recipient; the contracts distinguish only its absence. */
const ANY_RECIPIENT = parseAddress(`0x${'00'.repeat(19)}01`);
const SOME_CALL = Uint8Array.of(0);
const NO_DATA = new Uint8Array(0);

/**
 * The decision that enforcement makes at the head, with the rule behind it.
 * @throws RequestError INVALID_QUESTION; as reads of the state do
 */
export async function explainPermission(
  parts: ExplainingParts,
  { subject, id, action, to }: PermissionQuestion,
): Promise<Explanation> {
  const { records, config } = parts.state;
  if (subject === 'account')
    return explainAccount(parts, { account: accountOf(id), action: action ?? 'transfer', to });
  if (action !== undefined && (subject === 'org' || action !== 'connect'))
    throw invalid(`action ${action} is not one of ${subject === 'org' ? 'an organization' : 'a node'}`);
  return subject === 'org' ? checkOrg(records, config.model, id) : explainConnection(parts, id);
}

async function explainAccount(
  { state, ownId }: ExplainingParts,
  { account, action, to }: { account: Address; action: ExplainedAction; to: Address | undefined },
): Promise<Explanation> {
  if (action === 'connect') throw invalid('action connect is not one of an account');
  if (!state.isInForce) return notEnforced();
  const { records, config } = state;
  const rules = { records, policy: config, model: config.model };
  if (action === 'extend') return checkExtension(rules, account);
  const found = checkTransaction(rules, account, action);
  // The order in which a transaction is checked: first whether it may be sent through this node.
  const elsewhere = checkSubmission(records, account, ownId);
  if (elsewhere !== undefined) return elsewhere;
  const isAllowed = await isTransactionAllowed(state, transactionOf(account, action, to));
  return isAllowed === found.isAllowed ? found : differing(found, isAllowed);
}

function transactionOf(sender: Address, kind: TransactionKind, to: Address | undefined) {
  const recipient = kind === 'deploy' ? undefined : (to ?? ANY_RECIPIENT);
  const data = kind === 'transfer' ? NO_DATA : SOME_CALL;
  return { sender, to: recipient, value: 0n, gas: 0n, gasPrice: 0n, data };
}

/** Contracts of the second model decide by code of their own, which may have rules that the records do not show. */
function differing({ reason, records }: Explanation, isAllowed: boolean): Explanation {
  const text = `the contracts ${isAllowed ? 'permit' : 'refuse'} it by a rule of their own; by the records, ${reason}`;
  if (isAllowed) return allowed('CONTRACTS_DIFFER', text, records);
  const remedy = 'the rules are in the code of the permission contracts: ask those who deployed them';
  return refused('CONTRACTS_DIFFER', { reason: text, remedy }, records);
}

function explainConnection({ state, lists }: ExplainingParts, node: string): Explanation {
  const { records, config } = state;
  const nodeId = nodeIdIn(node);
  if (nodeId === undefined) throw invalid('id must be an enode URL or 128 hex digits');
  if (state.isInForce) return checkConnection(records, config.model, node);
  if (config.model === 'v2' && state.isEnforced) return notEnforced();
  const reason = 'until permissions are enforced, permissioned-nodes.json and disallowed-nodes.json decide';
  if (lists.allows(nodeId as NodeId)) return allowed('NODE_LISTED', reason);
  const remedy =
    'the operator adds the node to permissioned-nodes.json, and removes it from disallowed-nodes.json';
  return refused('NODE_NOT_LISTED', { reason, remedy });
}

function notEnforced(): Explanation {
  return allowed('NOT_ENFORCED', 'permissions are not enforced, or the network is not set up yet');
}

function accountOf(id: string): Address {
  if (!isAddress(id)) throw invalid('id must be an address: 0x and 40 hex digits');
  const account = parseAddress(id);
  if (account === ZERO_ADDRESS) throw invalid('id must not be the zero address');
  return account;
}

function invalid(message: string): RequestError {
  return new RequestError('INVALID_QUESTION', message);
}
