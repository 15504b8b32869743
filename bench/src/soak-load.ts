import { callRpc, type Endpoints } from '@tetrad/devnet';
import { developmentAccounts } from '@tetrad/testkit';
import { SoakAccount, type SoakTransaction } from './soak-account.js';
import type { SoakContract } from './soak-contracts.js';

/** Accounts at each node that sign by themselves, each with one batch at a time; the account of the node sends one by one besides. */
const ACCOUNTS = 16;
const MAX_BATCH = 16;
/** A node that does not answer in time counts as down. */
const ANSWER_MS = 15_000;
const PAUSE_MS = 200;
/** Enough, and so little that it runs out before the contract has stored anything. */
const GAS = [100_000, 100_000, 100_000, 40_000];

export interface SoakLoadOptions {
  readonly nodes: Endpoints['nodes'];
  readonly contracts: readonly SoakContract[];
  /** How many are to be acknowledged. */
  readonly count: number;
  readonly random: () => number;
  readonly say: (line: string) => void;
}

/** Random private transactions of all nodes to contracts, each to all parties of its contract. */
export class SoakLoad {
  /** Hashes that a node has acknowledged. */
  readonly acknowledged = new Set<string>();
  /** Sends without an acknowledgement, as of a node that is killed, or with a manager that is away. */
  refused = 0;
  readonly done: Promise<void>;
  private isStopped = false;

  constructor(private readonly options: SoakLoadOptions) {
    const { nodes } = options;
    const accounts = developmentAccounts(ACCOUNTS * nodes.length, 'agreement soak');
    const senders = accounts.map((account, index) => {
      const node = index % nodes.length;
      const sender = new SoakAccount(account, nodes[node] as Endpoints['nodes'][number]);
      return this.send(node, MAX_BATCH, (transactions) => sender.send(transactions));
    });
    const byNodes = nodes.map((_, node) => this.send(node, 1, ([one]) => this.sendByNode(node, one)));
    this.done = Promise.all([...senders, ...byNodes]).then(() => undefined);
  }

  stop(): void {
    this.isStopped = true;
  }

  private async send(
    node: number,
    maxBatch: number,
    submit: (transactions: readonly SoakTransaction[]) => Promise<string[]>,
  ): Promise<void> {
    const { contracts, count } = this.options;
    const own = contracts.filter(({ parties }) => parties.includes(node));
    while (!this.isStopped && this.acknowledged.size < count) {
      const size = 1 + Math.floor(this.options.random() * maxBatch);
      const transactions = Array.from({ length: size }, () => this.transaction(node, own));
      const none: string[] = [];
      const hashes = await Promise.race([
        submit(transactions).catch(() => none),
        pause(ANSWER_MS).then(() => none),
      ]);
      for (const hash of hashes) this.note(hash);
      this.refused += size - hashes.length;
      if (hashes.length < size) await pause(PAUSE_MS);
    }
  }

  private transaction(node: number, contracts: readonly SoakContract[]): SoakTransaction {
    const { random, nodes } = this.options;
    const contract = this.choose(contracts);
    const word = Buffer.alloc(32);
    word.writeUInt32BE(Math.floor(random() * 2 ** 32), 28);
    const privateFor = contract.parties.filter((one) => one !== node).map((one) => nodes[one]?.ptmKey);
    const { address: to, privacyFlag } = contract;
    return { to, gas: this.choose(GAS), word, privateFor, privacyFlag };
  }

  private note(hash: string): void {
    this.acknowledged.add(hash);
    const { size } = this.acknowledged;
    if (size % 500 === 0) this.options.say(`${size} transactions are acknowledged`);
  }

  private async sendByNode(node: number, transaction: SoakTransaction | undefined): Promise<string[]> {
    if (transaction === undefined) return [];
    const { rpc, accounts } = this.options.nodes[node] as Endpoints['nodes'][number];
    const { to, gas, word, privateFor, privacyFlag } = transaction;
    const data = `0x${Buffer.from(word).toString('hex')}`;
    const request = { from: accounts[0], to, gas: `0x${gas.toString(16)}`, data, privateFor, privacyFlag };
    const hash = await callRpc(rpc, 'eth_sendTransaction', [request]);
    return typeof hash === 'string' ? [hash] : [];
  }

  private choose<T>(members: readonly T[]): T {
    return members[Math.floor(this.options.random() * members.length)] as T;
  }
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
