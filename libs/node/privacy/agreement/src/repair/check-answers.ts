import type { PtmKey } from '@tetrad/types';
import { compareStated } from '../signed/compare-stated.js';
import { stateDigest, type ContractState } from '../signed/contract-state.js';
import type { RepairRefusal } from './repair-parts.js';
import type { RepairStatement } from './repair-statement.js';

/** Whose statements must be equal to that of the source: of `all` others, of `most` known parties, or of none besides. */
export type RepairRule = 'all' | 'most' | 'one';

/** What a party that was asked has said. */
export type PartyAnswer =
  | { readonly kind: 'stated'; readonly statement: RepairStatement; readonly signed: Uint8Array }
  | { readonly kind: 'refused'; readonly reason: RepairRefusal };

/** Answers by keys; a party that is silent has none. */
export type PartyAnswers = ReadonlyMap<PtmKey, PartyAnswer>;

const REFUSALS: Readonly<Record<RepairRefusal, string>> = {
  notShared: 'does not have the contract, or has no proof that this node has it',
  notAllowed: 'is not allowed by its operator to send the whole contract (node agreement allow-repair)',
  tooLarge: 'has a contract that is too large to send',
  notFollowed: 'does not have the block',
};

/**
 * Why the state of the source is not to be believed.
 * @param order.others - the parties that were asked besides the source
 * @returns undefined when it is
 */
export function obstacleIn(
  order: { readonly source: PtmKey; readonly others: readonly PtmKey[]; readonly rule: RepairRule },
  answers: PartyAnswers,
): string | undefined {
  const { source, others, rule } = order;
  const said = answers.get(source);
  if (said === undefined) return `party ${source} has not answered`;
  if (said.kind === 'refused') return `party ${source} ${REFUSALS[said.reason]}`;
  if (rule === 'one') return undefined;
  const { confirmed } = compareStated(stateDigest(said.statement.state), others, (key) =>
    stateOf(answers.get(key)),
  );
  const first = others.find((key) => !confirmed.includes(key));
  if (rule === 'all') return first && `party ${first} ${whyNot(answers.get(first))}`;
  const equal = confirmed.length + 1;
  const isMajority = equal >= 2 && 2 * equal > others.length + 1;
  return isMajority ? undefined : `only ${equal} of ${others.length + 1} parties state this of the contract`;
}

function stateOf(answer: PartyAnswer | undefined): ContractState | undefined {
  return answer?.kind === 'stated' ? answer.statement.state : undefined;
}

function whyNot(answer: PartyAnswer | undefined): string {
  if (answer === undefined) return 'has not answered';
  return answer.kind === 'refused' ? REFUSALS[answer.reason] : 'states another state of the contract';
}
