import type { AgreementBlock, AgreementPair } from '@tetrad/node-store';
import type { Hash, PtmKey } from '@tetrad/types';
import { UNDISCLOSED, type ListedOutcome } from '../outcome/outcome-list.js';
import { readOwnList } from '../outcome/own-list.js';
import { readListBytes } from '../statement/statement-details.js';

/**
 * Whether another party has the same result: `agreed` and `diverged` by what both have signed; `pending` until both have; `leftOut`
 * where the contract changed here since, in transactions that were not sent to the party; `cannotTell` for the reason.
 */
export type Agreement =
  | { readonly kind: 'agreed' | 'diverged' | 'pending' | 'leftOut' }
  | { readonly kind: 'cannotTell'; readonly reason: CannotTell };

/**
 * Why the results of two parties cannot be compared: `noMessages` where a manager carries none; `silent` where the party has stated
 * nothing for a day; `notStated` for a block from before, and for parties that do not know each other; `undisclosedHere` and `undisclosedThere`
 * where a party does not tell the result, as it has no proof that the other one has each contract that the transaction entered.
 */
export type CannotTell = 'noMessages' | 'silent' | 'notStated' | 'undisclosedHere' | 'undisclosedThere';

/** What this node knows of another party's result. */
export interface PartyAgreement {
  readonly own: PtmKey;
  readonly other: PtmKey;
  readonly agreement: Agreement;
  readonly pair: AgreementPair | undefined;
  /** What both have stated of the block; undefined where both agree. */
  readonly row: AgreementBlock | undefined;
}

/** Time after which a party that does not answer counts as silent. Managers drop messages then. */
const SILENT_MS = 24 * 3_600_000;

export interface AgreementFacts {
  readonly pair: AgreementPair | undefined;
  readonly row: AgreementBlock | undefined;
  readonly block: number;
  readonly transaction: Hash;
  /** The last block that this node has stated. */
  readonly stated: number;
  readonly carriesMessages: boolean;
  readonly nowMs: number;
}

export function agreementOf(facts: AgreementFacts): Agreement {
  const { pair, row, block, stated, carriesMessages } = facts;
  if (!carriesMessages) return cannotTell('noMessages');
  if (row !== undefined) return row.ownList === undefined ? { kind: 'pending' } : ofRow(row, facts);
  if (block > stated) return { kind: 'pending' };
  return pair === undefined || block < pair.since ? cannotTell('notStated') : { kind: 'agreed' };
}

function ofRow(row: AgreementBlock, { pair, transaction, nowMs }: AgreementFacts): Agreement {
  const mine = find(readOwnList(row.ownList ?? new Uint8Array()), transaction);
  if (row.state === 'pending' || row.state === 'comparing') {
    if (pair?.carriesMessages === false) return cannotTell('noMessages');
    return nowMs - row.madeAtMs > SILENT_MS ? cannotTell('silent') : { kind: 'pending' };
  }
  if (row.state === 'agreed') return { kind: 'agreed' };
  const told = row.otherList && readListBytes(row.otherList).outcomes;
  // Without lists the statements are equal, so that the other party does not tell it either.
  if (told === undefined)
    return mine?.isDisclosed === true ? { kind: 'agreed' } : cannotTell('undisclosedHere');
  const theirs = find(told, transaction);
  if (mine === undefined || theirs === undefined) return { kind: 'diverged' };
  if (theirs.digest === UNDISCLOSED) return cannotTell('undisclosedThere');
  if (mine.digest === UNDISCLOSED) return cannotTell('undisclosedHere');
  return { kind: mine.digest === theirs.digest ? 'agreed' : 'diverged' };
}

function find<T extends ListedOutcome>(list: readonly T[], transaction: Hash): T | undefined {
  return list.find(({ hash }) => hash === transaction);
}

function cannotTell(reason: CannotTell): Agreement {
  return { kind: 'cannotTell', reason };
}
