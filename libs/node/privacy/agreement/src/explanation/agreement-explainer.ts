import type { AgreementBlock, AgreementPair, AgreementStore, StoredPrivateReceipt } from '@tetrad/node-store';
import type { Address, Clock, Hash } from '@tetrad/types';
import { firstInOutcomes } from '../difference/first-difference.js';
import { UNDISCLOSED } from '../outcome/outcome-list.js';
import { readOwnList } from '../outcome/own-list.js';
import type { ToldOutcome, TransactionOutcome } from '../outcome/transaction-outcome.js';
import type { BlockResults, BlockResultsParts } from '../results/block-results.js';
import type { SharedContracts } from '../results/shared-contracts.js';
import { decodeOutcome, readListBytes } from '../statement/statement-details.js';
import { differentRules } from '../statement/stated-rules.js';
import { findCauses } from './causes.js';
import { contractHistory, type ContractHistory, type EnteringTransaction } from './contract-history.js';
import type { Difference, PairExplanation } from './explanation.js';

export interface AgreementExplainerParts extends Pick<BlockResultsParts, 'partiesOf'> {
  readonly store: Pick<AgreementStore, 'listPairs' | 'listDiffering'>;
  readonly receipts: {
    /** The newest that entered the contract, in the order of the chain. */
    readonly listEntering: (contract: Address) => Promise<readonly StoredPrivateReceipt[]>;
    readonly findReceipt: (hash: Hash) => Promise<StoredPrivateReceipt | undefined>;
  };
  readonly results: Pick<BlockResults, 'outcomeOf'>;
  readonly shared: Pick<SharedContracts, 'isShared'>;
  /**
   * Whether the manager has the payload of a transaction of the block.
   * @throws RequestError TRANSACTION_MANAGER_UNAVAILABLE
   */
  readonly hasPayload: (transaction: Hash) => Promise<boolean>;
  /** The last block that this node has stated; undefined before the first. */
  readonly stated: () => number | undefined;
  readonly clock: Pick<Clock, 'now'>;
}

/** Finds the first transaction on which parties differ about a contract, and why as far as this node can know. */
export class AgreementExplainer {
  constructor(private readonly parts: AgreementExplainerParts) {}

  /**
   * No entry for a party that agrees, or that shares nothing of the contract.
   * @throws RequestError TRANSACTION_MANAGER_UNAVAILABLE
   */
  async explain(contract: Address): Promise<PairExplanation[]> {
    const { store, receipts, partiesOf } = this.parts;
    const entering: EnteringTransaction[] = [];
    for (const receipt of await receipts.listEntering(contract))
      entering.push({ receipt, parties: await partiesOf(receipt) });
    const found: PairExplanation[] = [];
    for (const pair of await store.listPairs()) {
      const one = await this.ofPair(pair, contract, entering);
      if (one !== undefined) found.push(one);
    }
    return found;
  }

  private async ofPair(
    pair: AgreementPair,
    contract: Address,
    entering: readonly EnteringTransaction[],
  ): Promise<PairExplanation | undefined> {
    const { store, stated, clock } = this.parts;
    const listed = await store.listDiffering(pair);
    const rows = new Map(listed.map((row) => [row.block, row]));
    const ownHashes = new Set(entering.map(({ receipt }) => receipt.hash));
    const elsewhere = listed.filter(
      (row) => row.transaction !== undefined && !ownHashes.has(row.transaction) && names(row, contract),
    );
    const facts = { pair, rows, entering, elsewhere, stated: stated() ?? -1, nowMs: clock.now() };
    const history = contractHistory(facts);
    if (history.differing !== undefined)
      return this.ofDiffering(pair, history, rows.get(history.differing.block));
    const [first] = history.notSent.filter(({ isCertain }) => isCertain);
    // A party that never had the contract is not left out of it.
    if (first === undefined || history.agreed === undefined) return undefined;
    const causes = findCauses({ ...NOTHING, history });
    const rest = { difference: undefined, row: undefined, outcome: undefined, rules: undefined };
    return { ...ends(pair), agreement: 'leftOut', first, causes, ...ofHistory(history), ...rest };
  }

  private async ofDiffering(
    pair: AgreementPair,
    history: ContractHistory,
    row: AgreementBlock | undefined,
  ): Promise<PairExplanation | undefined> {
    const { differing } = history;
    if (differing === undefined || row === undefined) return undefined;
    const { block, transaction, kind: agreement } = differing;
    const receipt = await this.parts.receipts.findReceipt(transaction);
    const own = receipt && (await this.parts.results.outcomeOf(receipt));
    const other = toldOf(row, transaction);
    const difference = differenceOf(row, transaction, { own, other });
    const isMissingHere = difference?.field === 'transaction' && difference.at === 'own';
    const rules = differentRules(row.ownRules, row.otherRules);
    const causes = findCauses({
      history,
      difference,
      own,
      other,
      unproved: await this.unprovedOf(receipt, pair),
      hasPayload: isMissingHere && (await this.parts.hasPayload(transaction)),
      rules,
    });
    const first = { block, transaction };
    const known = { row, outcome: own, rules };
    return { ...ends(pair), agreement, first, difference, causes, ...ofHistory(history), ...known };
  }

  private async unprovedOf(
    receipt: StoredPrivateReceipt | undefined,
    pair: AgreementPair,
  ): Promise<Address[]> {
    const unproved: Address[] = [];
    for (const contract of receipt?.effects?.entered ?? []) {
      if (contract === receipt?.contractAddress) continue;
      if (!(await this.parts.shared.isShared(contract, pair))) unproved.push(contract);
    }
    return unproved;
  }
}

const NOTHING = {
  difference: undefined,
  own: undefined,
  other: undefined,
  unproved: [],
  hasPayload: false,
  rules: undefined,
} as const;

function ends({ own, other }: AgreementPair) {
  return { own, other };
}

function ofHistory({ agreed, isWhole }: ContractHistory) {
  return { agreed, isWhole };
}

/** Whether the other party has told that its outcome entered the contract. */
function names(row: AgreementBlock, contract: Address): boolean {
  const told = row.otherOutcome && decodeOutcome(row.otherOutcome)?.value;
  return told?.contracts?.some(({ address }) => address === contract) ?? false;
}

function toldOf({ otherOutcome }: AgreementBlock, transaction: Hash): ToldOutcome | undefined {
  const told = otherOutcome && decodeOutcome(otherOutcome)?.value;
  return told?.hash === transaction ? told : undefined;
}

/** What of the transaction differs, by the lists and outcomes of both. */
function differenceOf(
  { ownList, otherList }: AgreementBlock,
  transaction: Hash,
  { own, other }: { readonly own: TransactionOutcome | undefined; readonly other: ToldOutcome | undefined },
): Difference | undefined {
  const isIt = ({ hash }: { readonly hash: Hash }) => hash === transaction;
  const mine = ownList && readOwnList(ownList).find(isIt);
  const theirs = otherList && readListBytes(otherList).outcomes.find(isIt);
  if (mine === undefined) return { field: 'transaction', at: 'own' };
  if (otherList !== undefined && theirs === undefined) return { field: 'transaction', at: 'other' };
  if (theirs?.digest === UNDISCLOSED) return { field: 'undisclosed', at: 'other' };
  if (theirs === undefined || mine.digest === UNDISCLOSED) return { field: 'undisclosed', at: 'own' };
  if (own === undefined || other === undefined) return { field: 'outcome' };
  return firstInOutcomes(own, other);
}
