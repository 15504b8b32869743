import type { Address, Hash } from '@tetrad/types';
import type { ContractState } from '../signed/contract-state.js';
import { UNDISCLOSED, type ListedOutcome, type ToldList } from '../outcome/outcome-list.js';
import {
  outcomeDigest,
  type ContractOutcome,
  type ToldOutcome,
  type TransactionOutcome,
} from '../outcome/transaction-outcome.js';

/** The first transaction of a block of which two parties state different things. */
export type ListDifference =
  /** One of them does not have it: it was left out, or its manager has lost the payload. */
  | { readonly kind: 'missing'; readonly transaction: Hash; readonly at: 'own' | 'other' }
  | { readonly kind: 'outcome'; readonly transaction: Hash }
  /** Both have it, in another place: one of them does not tell the order of the block. */
  | { readonly kind: 'order'; readonly transaction: Hash };

/** What differs first between two outcomes of one transaction. */
export type OutcomeDifference =
  | { readonly field: 'status'; readonly own: 0 | 1; readonly other: 0 | 1 }
  | { readonly field: 'gasUsed'; readonly own: bigint; readonly other: bigint }
  | { readonly field: 'logs'; readonly own: Hash; readonly other: Hash }
  | ContractDifference
  /** Some contract, which cannot be named: there are more than 256. */
  | { readonly field: 'contracts' };

/** The first contract whose state differs. */
export interface ContractDifference {
  readonly field: 'contract';
  readonly address: Address;
  /** `presence` when one of the parties does not have the contract, or did not enter it. */
  readonly of: 'presence' | keyof ContractState;
  readonly own: ContractState | undefined;
  readonly other: ContractState | undefined;
}

/**
 * Both lists are in the order of the block, so the first place at which they differ is that of the first transaction on
 * which the parties disagree. An outcome that one of them does not tell differs from none.
 * @param all - of this node
 * @param told - by the other party; of one that is not whole the beginning is compared
 * @returns undefined where the lists are equal
 */
export function firstInLists(
  all: readonly ListedOutcome[],
  { outcomes: other, isWhole }: ToldList,
): ListDifference | undefined {
  const own = isWhole ? all : all.slice(0, other.length);
  const places = Math.max(own.length, other.length);
  for (let place = 0; place < places; place += 1) {
    const [mine, theirs] = [own[place], other[place]];
    if (mine?.hash === theirs?.hash) {
      if (mine !== undefined && theirs !== undefined && isAnother(mine, theirs))
        return { kind: 'outcome', transaction: mine.hash };
    } else return missing(own, other, place);
  }
  return undefined;
}

function isAnother(own: ListedOutcome, other: ListedOutcome): boolean {
  return own.digest !== other.digest && own.digest !== UNDISCLOSED && other.digest !== UNDISCLOSED;
}

function missing(
  own: readonly ListedOutcome[],
  other: readonly ListedOutcome[],
  place: number,
): ListDifference {
  const [mine, theirs] = [own[place], other[place]];
  if (mine !== undefined && !has(other, mine))
    return { kind: 'missing', transaction: mine.hash, at: 'other' };
  // One of the two is there, as their hashes differ.
  const transaction = (theirs ?? (mine as ListedOutcome)).hash;
  return theirs !== undefined && !has(own, theirs)
    ? { kind: 'missing', transaction, at: 'own' }
    : { kind: 'order', transaction };
}

function has(list: readonly ListedOutcome[], { hash }: ListedOutcome): boolean {
  return list.some((listed) => listed.hash === hash);
}

/**
 * @param other - of the same transaction
 * @returns undefined where the outcomes are equal
 */
export function firstInOutcomes(own: TransactionOutcome, other: ToldOutcome): OutcomeDifference | undefined {
  if (own.status !== other.status) return { field: 'status', own: own.status, other: other.status };
  if (own.gasUsed !== other.gasUsed) return { field: 'gasUsed', own: own.gasUsed, other: other.gasUsed };
  if (own.logsHash !== other.logsHash) return { field: 'logs', own: own.logsHash, other: other.logsHash };
  if (outcomeDigest(own) === outcomeDigest(other)) return undefined;
  if (other.contracts === undefined) return { field: 'contracts' };
  return firstInContracts(own.contracts, other.contracts);
}

function firstInContracts(
  own: readonly ContractOutcome[],
  other: readonly ContractOutcome[],
): ContractDifference | undefined {
  const [mine, theirs] = [statesOf(own), statesOf(other)];
  const addresses = [...new Set([...mine.keys(), ...theirs.keys()])].sort();
  for (const address of addresses) {
    const isAtBoth = mine.has(address) && theirs.has(address);
    const of = isAtBoth ? differingPart(mine.get(address), theirs.get(address)) : 'presence';
    if (of !== undefined)
      return { field: 'contract', address, of, own: mine.get(address), other: theirs.get(address) };
  }
  return undefined;
}

function statesOf(contracts: readonly ContractOutcome[]): ReadonlyMap<Address, ContractState | undefined> {
  return new Map(contracts.map(({ address, state }) => [address, state]));
}

/** In the order in which a reader looks: another code explains another storage. */
const PARTS = ['codeHash', 'nonce', 'balance', 'storageRoot'] as const;

function differingPart(
  own: ContractState | undefined,
  other: ContractState | undefined,
): ContractDifference['of'] | undefined {
  if (own === undefined || other === undefined) return own === other ? undefined : 'presence';
  return PARTS.find((part) => own[part] !== other[part]);
}
