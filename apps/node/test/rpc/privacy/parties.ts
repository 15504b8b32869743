import { expect } from '@jest/globals';
import type { ExplanationView, PartyExplanationView, TransactionAgreementView } from '@tetrad/api-node';
import { until } from '@tetrad/testkit';
import { parseAddress } from '@tetrad/types';
import { explainAgreement } from '../../../src/commands/explain-agreement-command.js';
import {
  RECORDED_KEYS,
  privacyGenesis,
  recordedAccounts,
  type PrivacyNetwork,
} from '../../privacy-network.js';
import type { RunningNode } from '../../running-node.js';
import { compiled, sendAndMine, valuesAt } from './private-contracts.js';
import { takeState } from './taken-state.js';

export const [A, B, C] = RECORDED_KEYS.map(({ publicKey }) => publicKey as string) as [
  string,
  string,
  string,
];
export const MODULES = 'eth,net,web3,debug,admin,eea,priv,privacy';
export const accumulator = compiled('Accumulator.sol', 'Accumulator');
export const accounts = recordedAccounts(3);
/** A block follows a transaction, and no other does: what is seen before the next one is seen within that block. */
export const quiet = () => {
  const { qbft } = privacyGenesis(accounts).config as { readonly qbft: object };
  return { qbft: { ...qbft, emptyblockperiodseconds: 3_600 } };
};

interface WantedExplanation {
  readonly contract: string;
  readonly other: string;
  readonly hash: string;
  readonly waitsForRules?: boolean;
}

/** A network of two or three parties, and what has been sent on it. */
export class Parties {
  constructor(
    readonly network: PrivacyNetwork,
    public nodes: readonly RunningNode[],
  ) {}

  node(index: number): RunningNode {
    return this.nodes[index] as RunningNode;
  }

  async create(privateFor: readonly string[], data = accumulator.creation(1)): Promise<string> {
    const { hash, receipts } = await sendAndMine(this.node(0), this.nodes, { data, privateFor });
    await this.agreed(hash);
    return String(receipts[0]?.contractAddress);
  }

  async send(to: string, data: string, privateFor: readonly string[]): Promise<string> {
    return (await sendAndMine(this.node(0), this.nodes, { to, data, privateFor })).hash;
  }

  increment(to: string, privateFor: readonly string[]): Promise<string> {
    return this.send(to, accumulator.interface.encodeFunctionData('inc', [1]), privateFor);
  }

  async agreed(hash: string): Promise<void> {
    await this.becomes(0, hash, 'agreed');
  }

  /** Waits until the node says so of all parties of the transaction. */
  async becomes(index: number, hash: string, agreement: string): Promise<void> {
    await until(async () => {
      const found = await this.agreement(index, hash);
      return found === null || found.parties.every((party) => party.agreement === agreement);
    });
  }

  agreement(index: number, hash: string): Promise<TransactionAgreementView | null> {
    return this.node(index).result('privacy_getAgreement', [hash]);
  }

  /** How the node explains that the other party differs, once it names the transaction and knows what the other one tells. */
  async explained(
    index: number,
    { contract, other, hash, waitsForRules = false }: WantedExplanation,
  ): Promise<PartyExplanationView> {
    let found: PartyExplanationView | undefined;
    await until(async () => {
      const { parties } = await this.node(index).result<ExplanationView>('privacy_explainAgreement', [
        contract,
      ]);
      found = parties.find(
        ({ ptmKey, transaction, difference, rules }) =>
          ptmKey === other &&
          transaction === hash &&
          difference?.field !== 'outcome' &&
          !(waitsForRules && rules === 'unknown'),
      );
      return found !== undefined;
    });
    return found as PartyExplanationView;
  }

  /** The sum of an accumulator at each node; undefined where it is not. */
  async sums(contract: string): Promise<(number | undefined)[]> {
    const found = await valuesAt(this.nodes, accumulator, contract, 'get');
    return found.map((value) => (typeof value === 'number' ? value : undefined));
  }

  /** Has a party take the state of another one by the command. */
  async repair(contract: string, taker: number, giver: number): Promise<void> {
    const party = (index: number) => ({ node: this.node(index), key: [A, B, C][index] ?? '' });
    const repair = { isOver: false };
    const taken = takeState(contract, party(taker), party(giver)).finally(() => (repair.isOver = true));
    const [text] = await Promise.all([taken, this.makeBlocks(repair)]);
    expect(text).toContain('since the end of block');
  }

  /** A repair is written behind a block that follows, and only transactions make blocks here. */
  private async makeBlocks(work: { readonly isOver: boolean }): Promise<void> {
    while (!work.isOver) {
      await sendAndMine(this.node(0), this.nodes, { to: `0x${'11'.repeat(20)}` });
      await new Promise((due) => setTimeout(due, 200));
    }
  }

  /** How many blocks follow the one of the transaction now. */
  async blocksSince(hash: string): Promise<number> {
    const { blockNumber } = await this.node(0).mined(hash);
    return Number(await this.node(0).result('eth_blockNumber')) - Number(blockNumber);
  }
}

/** What the command says of the contract. */
export const textOf = (node: RunningNode, contract: string, since?: number) =>
  explainAgreement({
    rpcUrl: new URL(node.url),
    rpcTokenFile: undefined,
    contract: parseAddress(contract),
    since,
    wait: 120_000,
  });
