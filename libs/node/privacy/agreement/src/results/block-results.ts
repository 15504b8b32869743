import type { AgreementContract, KeyPair, PrivateStateStore, StoredPrivateReceipt } from '@tetrad/node-store';
import type { Address, Log, PtmKey } from '@tetrad/types';
import { UNDISCLOSED } from '../outcome/outcome-list.js';
import type { OwnListed } from '../outcome/own-list.js';
import {
  logsHash,
  outcomeDigest,
  sortContracts,
  type TransactionOutcome,
} from '../outcome/transaction-outcome.js';
import type { ContractState } from '../signed/contract-state.js';
import { pairName, pairsOf, type PayloadParties } from './payload-parties.js';
import type { SharedContracts } from './shared-contracts.js';

/** Who takes part in an executed transaction, and which contract it was sent to. */
export interface TransactionParties extends PayloadParties {
  /** Undefined for a creation. */
  readonly to: Address | undefined;
}

export interface BlockResultsParts {
  readonly store: Pick<PrivateStateStore, 'listReceipts' | 'listLogs'>;
  /**
   * Undefined where the manager does not have the payload any more.
   * @throws RequestError TRANSACTION_MANAGER_UNAVAILABLE
   */
  readonly partiesOf: (receipt: StoredPrivateReceipt) => Promise<TransactionParties | undefined>;
  /** Undefined when this node does not have the contract after the block. */
  readonly findState: (contract: Address, block: number) => Promise<ContractState | undefined>;
  readonly shared: Pick<SharedContracts, 'isShared'>;
  /** Parties that get every outcome of the transactions they take part in, as the operator has said (docs/adr/0272). */
  readonly openTo?: ReadonlySet<PtmKey>;
}

/** Payloads that are looked up at a time, which the manager answers together. */
const TOGETHER = 64;

/** What a block did for one pair of parties. */
export interface PairResults {
  readonly pair: KeyPair;
  readonly list: OwnListed[];
  /** The told ones of the list. */
  readonly outcomes: TransactionOutcome[];
  /** The contracts that both have and that were entered; each with the last transaction. */
  readonly contracts: Map<Address, AgreementContract>;
}

type States = Map<Address, Promise<ContractState | undefined>>;

/** Reads what this node's private transactions did, for each other party. */
export class BlockResults {
  constructor(private readonly parts: BlockResultsParts) {}

  /**
   * In the order of the block.
   * @param only - one pair, of all without it
   * @throws RequestError TRANSACTION_MANAGER_UNAVAILABLE
   */
  async read(block: number, only?: KeyPair): Promise<PairResults[]> {
    const { store } = this.parts;
    const found = new Map<string, PairResults>();
    const receipts = await store.listReceipts(block);
    if (receipts.length === 0) return [];
    const logs = await store.listLogs(block);
    const states: States = new Map();
    for (const { receipt, parties } of await this.partiesOf(receipts)) {
      const pairs = parties === undefined ? [] : pairsOf(parties);
      const wanted = pairs.filter((pair) => only === undefined || pairName(pair) === pairName(only));
      if (parties === undefined || wanted.length === 0) continue;
      const own = logs.filter(({ transactionIndex }) => transactionIndex === receipt.index);
      const outcome = await this.resultOf(receipt, own, states);
      for (const pair of wanted) await this.add(resultsOf(found, pair), receipt, { parties, outcome });
    }
    return [...found.values()];
  }

  private async partiesOf(receipts: readonly StoredPrivateReceipt[]) {
    const all: { receipt: StoredPrivateReceipt; parties: TransactionParties | undefined }[] = [];
    for (let next = 0; next < receipts.length; next += TOGETHER) {
      const some = receipts.slice(next, next + TOGETHER);
      const known = some.map(async (receipt) => ({ receipt, parties: await this.parts.partiesOf(receipt) }));
      all.push(...(await Promise.all(known)));
    }
    return all;
  }

  /** What a transaction did here, also where it is not disclosed; undefined for a result of the version before. */
  async outcomeOf(receipt: StoredPrivateReceipt): Promise<TransactionOutcome | undefined> {
    const logs = await this.parts.store.listLogs(receipt.blockNumber);
    const own = logs.filter(({ transactionIndex }) => transactionIndex === receipt.index);
    return this.resultOf(receipt, own, new Map());
  }

  private async resultOf(
    { effects, hash, status, blockNumber }: StoredPrivateReceipt,
    logs: readonly Log[],
    states: States,
  ): Promise<TransactionOutcome | undefined> {
    if (effects === undefined) return undefined;
    const contracts = await Promise.all(
      effects.entered.map(async (address) => {
        const state = states.get(address) ?? this.parts.findState(address, blockNumber);
        states.set(address, state);
        return { address, state: await state };
      }),
    );
    const { gasUsed } = effects;
    return { hash, status, gasUsed, logsHash: logsHash(logs), contracts: sortContracts(contracts) };
  }

  private async add(
    { pair, list, outcomes, contracts }: PairResults,
    receipt: StoredPrivateReceipt,
    { parties, outcome }: { parties: TransactionParties; outcome: TransactionOutcome | undefined },
  ): Promise<void> {
    const { hash, blockNumber: block, effects } = receipt;
    const isSent = parties.sender === pair.own;
    const isOpen = this.parts.openTo?.has(pair.other) === true;
    let isDisclosed = outcome !== undefined;
    for (const contract of effects?.entered ?? []) {
      const isCalled = isSent && contract === parties.to;
      const isShared =
        isCalled ||
        contract === receipt.contractAddress ||
        (await this.parts.shared.isShared(contract, pair));
      if (isShared)
        contracts.set(contract, { ...pair, contract, block, transaction: hash, isShared: isCalled });
      else if (!isOpen) isDisclosed = false;
    }
    list.push({ hash, digest: outcome === undefined ? UNDISCLOSED : outcomeDigest(outcome), isDisclosed });
    if (isDisclosed && outcome !== undefined) outcomes.push(outcome);
  }
}

function resultsOf(found: Map<string, PairResults>, pair: KeyPair): PairResults {
  const name = pairName(pair);
  const results = found.get(name) ?? { pair, list: [], outcomes: [], contracts: new Map() };
  found.set(name, results);
  return results;
}
