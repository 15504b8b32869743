import type { PartyExplanationView } from '@tetrad/api-node';
import {
  encodeDisclosedList,
  outcomeBytes,
  type Cause,
  type Difference,
  type PairExplanation,
} from '@tetrad/node-agreement';
import { viewRule } from './view-rule.js';

/** A party that differs, with what both have signed and what the transaction did at each end. */
export function viewExplanation(explained: PairExplanation): PartyExplanationView {
  const { own, other, agreement, first, difference, causes, agreed, isWhole, row } = explained;
  const { transaction, block: blockNumber } = first;
  return {
    ptmKey: other,
    ownPtmKey: own,
    agreement,
    transaction,
    blockNumber,
    ...(difference !== undefined && { difference: viewDifference(difference) }),
    causes: causes.map(viewCause),
    rules: viewRules(explained),
    ...(agreed !== undefined && {
      agreed: { transaction: agreed.transaction, blockNumber: agreed.block },
    }),
    isWhole,
    ...(row && viewSigned(row, explained.outcome)),
  };
}

/** What both ends have signed of the block. */
function viewSigned(
  row: NonNullable<PairExplanation['row']>,
  outcome: PairExplanation['outcome'],
): Pick<PartyExplanationView, 'own' | 'other'> {
  return {
    ...(row.ownStatement !== undefined && {
      own: {
        statement: row.ownStatement,
        list: row.ownList && encodeDisclosedList(row.ownList),
        outcome: outcome && outcomeBytes(outcome),
        rules: row.ownRules,
      },
    }),
    ...(row.otherStatement !== undefined && {
      other: {
        statement: row.otherStatement,
        list: row.otherList,
        outcome: row.otherOutcome,
        rules: row.otherRules,
        before: row.otherBefore,
      },
    }),
  };
}

function viewCause({
  transactions,
  contracts,
  rules,
  ...cause
}: Cause): PartyExplanationView['causes'][number] {
  return {
    ...cause,
    ...(transactions !== undefined && { transactions: [...transactions] }),
    ...(contracts !== undefined && { contracts: [...contracts] }),
    ...(rules !== undefined && { rules: rules.map(viewRule) }),
  };
}

function viewRules({ rules }: PairExplanation): PartyExplanationView['rules'] {
  if (rules === undefined) return 'unknown';
  return rules.length === 0 ? 'equal' : 'different';
}

type DifferenceView = NonNullable<PartyExplanationView['difference']>;

function viewDifference(difference: Difference): DifferenceView {
  switch (difference.field) {
    case 'transaction':
    case 'undisclosed':
      return { field: difference.field, at: difference.at };
    case 'status':
    case 'gasUsed':
    case 'logs':
      return { field: difference.field, ...ends(difference.own, difference.other) };
    case 'contract': {
      const { address, of, own, other } = difference;
      const at = { field: 'contract' as const, contract: address, part: of };
      return of === 'presence'
        ? { ...at, ...ends(own && 'there', other && 'there') }
        : { ...at, ...ends(own?.[of], other?.[of]) };
    }
    default:
      return { field: difference.field };
  }
}

function ends(own: unknown, other: unknown): { own?: string; other?: string } {
  return {
    ...(own !== undefined && { own: String(own) }),
    ...(other !== undefined && { other: String(other) }),
  };
}
