import type { AgreementBlock, AgreementPair, StoredPrivateReceipt } from '@tetrad/node-store';
import type { Hash } from '@tetrad/types';
import { readOwnList } from '../outcome/own-list.js';
import { pairName, pairsOf } from '../results/payload-parties.js';
import type { TransactionParties } from '../results/block-results.js';
import { agreementOf } from '../reading/party-agreement.js';
import { readListBytes } from '../statement/statement-details.js';
import type { Place } from './explanation.js';

/** A transaction of this node that entered the contract. */
export interface EnteringTransaction {
  readonly receipt: StoredPrivateReceipt;
  /** Undefined where the manager does not have the payload any more. */
  readonly parties: TransactionParties | undefined;
}

/** What is looked at of one pair. */
export interface PairRecords {
  readonly pair: AgreementPair;
  /** In the order of the chain. */
  readonly entering: readonly EnteringTransaction[];
  /** Of transactions that only the other party has, and that entered the contract there. */
  readonly elsewhere: readonly AgreementBlock[];
  readonly rows: ReadonlyMap<number, AgreementBlock>;
  readonly stated: number;
  readonly nowMs: number;
}

/** A transaction that was not sent to the other party, as far as this node knows. */
export interface NotSent extends Place {
  /** Whether this node knows all recipients. */
  readonly isCertain: boolean;
}

/** The transactions of a contract back to the last on which both parties agreed. */
export interface ContractHistory {
  /** The first since then that differs. */
  readonly differing: (Place & { readonly kind: 'diverged' | 'undisclosed' }) | undefined;
  /** Since then and before `differing`. */
  readonly notSent: readonly NotSent[];
  readonly agreed: Place | undefined;
  /** Whether it ends with an agreement, or with the first transaction that is known. */
  readonly isWhole: boolean;
}

type Event = Place & {
  readonly index: number;
  readonly kind: 'diverged' | 'undisclosed' | 'agreed' | 'notCompared' | 'pending' | 'notSent';
  readonly isCertain: boolean;
};

/** Compares what both have stated of the contract, backward from the newest transaction to the last on which both agreed. */
export function contractHistory(records: PairRecords): ContractHistory {
  const events = [...records.entering.map((one) => ofReceipt(one, records)), ...elsewhere(records)];
  events.sort((a, b) => b.block - a.block || b.index - a.index);
  let differing: ContractHistory['differing'];
  let notSent: NotSent[] = [];
  for (const { kind, block, transaction, isCertain } of events) {
    if (kind === 'agreed') return { differing, notSent, agreed: { block, transaction }, isWhole: true };
    if (kind === 'notCompared') return { differing, notSent, agreed: undefined, isWhole: false };
    if (kind === 'notSent') notSent = [{ block, transaction, isCertain }, ...notSent];
    if (kind === 'diverged' || kind === 'undisclosed') {
      differing = { block, transaction, kind };
      notSent = [];
    }
  }
  return { differing, notSent, agreed: undefined, isWhole: true };
}

function ofReceipt({ receipt, parties }: EnteringTransaction, records: PairRecords): Event {
  const { pair, rows, stated, nowMs } = records;
  const { blockNumber: block, hash: transaction, index } = receipt;
  const at = { block, transaction, index, isCertain: true };
  const row = rows.get(block);
  const isOfPair = parties !== undefined && pairsOf(parties).some((one) => pairName(one) === pairName(pair));
  const isStated = row !== undefined && isListed(row, transaction);
  if (!isOfPair && !isStated) return { ...at, kind: 'notSent', isCertain: knowsAll(parties) };
  const facts = { pair, row, block, transaction, stated, carriesMessages: true, nowMs };
  const agreement = agreementOf(facts);
  if (agreement.kind === 'agreed' || agreement.kind === 'diverged') return { ...at, kind: agreement.kind };
  if (agreement.kind !== 'cannotTell') return { ...at, kind: 'pending' };
  const isHidden = agreement.reason === 'undisclosedHere' || agreement.reason === 'undisclosedThere';
  return { ...at, kind: isHidden ? 'undisclosed' : 'notCompared' };
}

/** A recipient of flag 0 knows the sender and itself alone. */
function knowsAll(parties: TransactionParties | undefined): boolean {
  if (parties === undefined) return false;
  const { sender, own, areKnownToAll } = parties;
  return areKnownToAll || (sender !== undefined && own.includes(sender));
}

function isListed({ ownList, otherList }: AgreementBlock, transaction: Hash): boolean {
  const isIt = ({ hash }: { readonly hash: Hash }) => hash === transaction;
  const own = ownList !== undefined && readOwnList(ownList).some(isIt);
  return own || (otherList !== undefined && readListBytes(otherList).outcomes.some(isIt));
}

/** Their place in the block is not known here, and nothing of the contract was executed in the block before them. */
function elsewhere({ elsewhere: rows }: PairRecords): Event[] {
  return rows.flatMap(({ block, transaction }) =>
    transaction === undefined
      ? []
      : [{ block, transaction, index: -1, kind: 'diverged' as const, isCertain: true }],
  );
}
