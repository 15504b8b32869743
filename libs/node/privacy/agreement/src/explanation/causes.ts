import type { Address, Hash } from '@tetrad/types';
import type { ToldOutcome, TransactionOutcome } from '../outcome/transaction-outcome.js';
import type { RuleDifference } from '../statement/stated-rules.js';
import type { ContractHistory, NotSent } from './contract-history.js';
import type { Cause, Difference, End } from './explanation.js';

/** What this node knows of the first transaction that differs. */
export interface CauseFacts {
  readonly history: ContractHistory;
  readonly difference: Difference | undefined;
  readonly own: TransactionOutcome | undefined;
  readonly other: ToldOutcome | undefined;
  /** Contracts that the transaction entered here, and that this node has no proof of the other party having. */
  readonly unproved: readonly Address[];
  /** Whether the manager of this node has the payload; asked where this end lacks the transaction. */
  readonly hasPayload: boolean;
  /** Of which rules both ends have said something else; undefined where one of them has said nothing. */
  readonly rules: readonly RuleDifference[] | undefined;
}

/** Why two parties differ, the certain causes first; none where this node cannot know. */
export function findCauses(facts: CauseFacts): Cause[] {
  const causes = [
    ...payloadLost(facts),
    ...leftOut(facts.history.notSent),
    ...otherRules(facts),
    ...publicReads(facts),
  ];
  return [...causes.filter(({ isCertain }) => isCertain), ...causes.filter(({ isCertain }) => !isCertain)];
}

function payloadLost({ difference, hasPayload, own }: CauseFacts): Cause[] {
  if (difference?.field !== 'transaction') return [];
  const { at } = difference;
  // Another party can claim a transaction that this node was never sent; its payload proves that it was.
  if (at === 'own')
    return [{ kind: 'payloadLost', at, isCertain: hasPayload || own !== undefined, isBack: hasPayload }];
  return [{ kind: 'payloadLost', at, isCertain: true }];
}

function leftOut(notSent: readonly NotSent[]): Cause[] {
  return [true, false].flatMap((isCertain) => {
    const some = notSent.filter((one) => one.isCertain === isCertain);
    const transactions: Hash[] = some.map(({ transaction }) => transaction);
    return some.length === 0
      ? []
      : [{ kind: 'leftOut' as const, at: 'other' as const, isCertain, transactions }];
  });
}

/** Nothing proves what the other party says of its rules. */
function otherRules({ rules = [], difference }: CauseFacts): Cause[] {
  if (rules.length === 0 || difference?.field === 'transaction') return [];
  return [{ kind: 'rules', at: 'other', isCertain: false, rules }];
}

function publicReads({ own, other, unproved, difference }: CauseFacts): Cause[] {
  const absent = absentIn(own);
  if (absent.length > 0) return [reads('own', absent, true)];
  // It does not disclose what entered a contract that it cannot prove this node to have.
  if (difference?.field === 'undisclosed' && difference.at === 'other' && unproved.length === 0)
    return [{ kind: 'publicReads', at: 'own', isCertain: false }];
  const [mine, theirs] = [own && present(own), other && present(other)];
  if (mine === undefined || theirs === undefined)
    return unproved.length > 0 ? [reads('other', unproved, false)] : [];
  const notThere = [...mine].filter((contract) => !theirs.has(contract));
  const notHere = [...theirs].filter((contract) => !mine.has(contract));
  return [
    ...(notThere.length > 0
      ? [
          reads(
            'other',
            notThere,
            notThere.some((one) => unproved.includes(one)),
          ),
        ]
      : []),
    ...(notHere.length > 0 ? [reads('own', notHere, false)] : []),
  ];
}

function reads(at: End, contracts: readonly Address[], isCertain: boolean): Cause {
  return { kind: 'publicReads', at, contracts, isCertain };
}

/** Contracts that the transaction named, and that this node did not have after the block. */
function absentIn(own: TransactionOutcome | undefined): Address[] {
  const absent = own?.contracts.filter(({ state }) => state === undefined) ?? [];
  return absent.map(({ address }) => address);
}

/** Contracts that were there. Undefined where the other party has told the hash of its contracts alone. */
function present({ contracts }: TransactionOutcome | ToldOutcome): ReadonlySet<Address> | undefined {
  const there = contracts?.filter(({ state }) => state !== undefined);
  return there && new Set(there.map(({ address }) => address));
}
