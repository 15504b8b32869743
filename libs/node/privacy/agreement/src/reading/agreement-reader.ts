import type {
  AgreementContract,
  AgreementPair,
  AgreementStore,
  RepairStore,
  KeyPair,
  OpenBlock,
  StoredPrivateReceipt,
} from '@tetrad/node-store';
import { RequestError, type Address, type Clock, type Hash } from '@tetrad/types';
import type { AgreementDuty } from '../exchange/agreement-duty.js';
import { stateDigest, type ContractState } from '../signed/contract-state.js';
import type { BlockResultsParts } from '../results/block-results.js';
import { pairsOf } from '../results/payload-parties.js';
import { repairedSince } from './repaired-since.js';
import { agreementOf, type PartyAgreement } from './party-agreement.js';
import { unrepairedContracts } from './unrepaired-contracts.js';

export interface AgreementReaderParts extends Pick<BlockResultsParts, 'partiesOf' | 'findState'> {
  readonly store: Pick<
    AgreementStore,
    'findPair' | 'findBlock' | 'listContract' | 'listPairs' | 'listOpen' | 'listDiverged'
  >;
  readonly repairs: Pick<RepairStore, 'list' | 'listNotices'>;
  readonly findReceipt: (hash: Hash) => Promise<StoredPrivateReceipt | undefined>;
  /** The last block that private state has followed. */
  readonly followed: () => number;
  readonly duty: Pick<AgreementDuty, 'stated' | 'carriesMessages' | 'compareSince'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Whether the parties of a transaction have the same result of it. */
export interface TransactionAgreement {
  readonly transaction: Hash;
  readonly block: number;
  readonly parties: readonly PartyAgreement[];
}

/** Whether the parties of a contract have the same state of it, each by the newest transaction of both. */
export interface ContractAgreement {
  readonly contract: Address;
  readonly parties: readonly (PartyAgreement & {
    readonly transaction: Hash;
    readonly block: number;
    /** Block since whose end both have the same by a repair; undefined without one after the transaction. */
    readonly repairedAt: number | undefined;
  })[];
}

/** All parties, and the blocks on which they do not agree, or not yet. */
export interface Disagreements {
  /** The last block that this node has stated; -1 before the first. */
  readonly stated: number;
  readonly parties: readonly AgreementPair[];
  /** The oldest first. Bounds: 1,000 */
  readonly blocks: readonly OpenBlock[];
}

/** Answers whether other parties have the same results as this node. */
export class AgreementReader {
  constructor(private readonly parts: AgreementReaderParts) {}

  /**
   * @returns undefined for a transaction of which this node is no party
   * @throws RequestError TRANSACTION_MANAGER_UNAVAILABLE
   */
  async ofTransaction(transaction: Hash): Promise<TransactionAgreement | undefined> {
    const receipt = await this.parts.findReceipt(transaction);
    if (receipt === undefined) return undefined;
    const known = await this.parts.partiesOf(receipt);
    const at = { block: receipt.blockNumber, transaction };
    const parties: PartyAgreement[] = [];
    for (const pair of known === undefined ? [] : pairsOf(known)) parties.push(await this.ofPair(pair, at));
    return { ...at, parties };
  }

  /** No parties for a contract that no stated transaction of both has entered. */
  async ofContract(contract: Address): Promise<ContractAgreement> {
    const rows = await this.parts.store.listContract(contract);
    const parties: ContractAgreement['parties'][number][] = [];
    for (const row of rows) {
      const { block, transaction } = row;
      const stated = await this.ofPair(row, row);
      const repairedAt = await repairedSince(this.parts, row);
      const found =
        repairedAt === undefined
          ? stated
          : { ...stated, row: undefined, agreement: { kind: 'agreed' as const } };
      const isBehind =
        found.agreement.kind === 'agreed' &&
        (await this.hasChanged({ contract, block: repairedAt ?? block }));
      const agreement = isBehind ? { kind: 'leftOut' as const } : found.agreement;
      parties.push({ ...found, agreement, block, transaction, repairedAt });
    }
    return { contract, parties };
  }

  /** @param since - block from which on those are listed on which parties do not agree */
  async list(since: number): Promise<Disagreements> {
    const { store, duty } = this.parts;
    return {
      stated: duty.stated ?? -1,
      parties: await store.listPairs(),
      blocks: await store.listOpen(since),
    };
  }

  /** How many contracts another party has with another state, and neither has repaired. */
  async countUnrepaired(): Promise<number> {
    return (await unrepairedContracts(this.parts)).size;
  }

  /**
   * Has blocks compared from one on that are older than those that were compared.
   * @throws RequestError BLOCK_NOT_FOUND for one that this node has not stated, PRIVACY_NOT_AVAILABLE where it states nothing
   */
  compareSince(block: number): void {
    const { stated, carriesMessages } = this.parts.duty;
    if (carriesMessages !== true || stated === undefined)
      throw new RequestError('PRIVACY_NOT_AVAILABLE', 'this node does not state results to other parties');
    if (block > stated)
      throw new RequestError(
        'BLOCK_NOT_FOUND',
        `block ${block} is not stated yet; the last one is ${stated}`,
      );
    this.parts.duty.compareSince(block);
  }

  private async ofPair(
    { own, other }: KeyPair,
    { block, transaction }: { readonly block: number; readonly transaction: Hash },
  ): Promise<PartyAgreement> {
    const { store, duty, clock } = this.parts;
    const [pair, row] = [await store.findPair({ own, other }), await store.findBlock({ own, other }, block)];
    const { stated = -1, carriesMessages = true } = duty;
    const facts = { pair, row, block, transaction, stated, carriesMessages, nowMs: clock.now() };
    return { own, other, agreement: agreementOf(facts), pair, row };
  }

  /** Whether the contract has another state here than after the block in which both had the same. */
  private async hasChanged({
    contract,
    block,
  }: Pick<AgreementContract, 'contract' | 'block'>): Promise<boolean> {
    const { findState, followed } = this.parts;
    const [then, now] = [await findState(contract, block), await findState(contract, followed())];
    return digestOf(then) !== digestOf(now);
  }
}

function digestOf(state: ContractState | undefined): Hash | undefined {
  return state && stateDigest(state);
}
