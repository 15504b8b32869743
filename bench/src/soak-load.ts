import { callRpc, type Endpoints } from '@tetrad/devnet';
import type { SoakContract } from './soak-contracts.js';

/** Senders at each node, each with one transaction at a time. */
const SENDERS = 12;
/** A node that does not answer in time counts as down. */
const ANSWER_MS = 15_000;
const PAUSE_MS = 200;
/** Enough, and so little that it runs out before the contract has stored anything. */
const GAS = ['0x186a0', '0x186a0', '0x186a0', '0x9c40'];

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
  /** Hashes by the node that has acknowledged them. */
  readonly acknowledged = new Map<string, number>();
  /** Sends without an acknowledgement, as of a node that is killed, or with a manager that is away. */
  refused = 0;
  readonly done: Promise<void>;
  private isStopped = false;

  constructor(private readonly options: SoakLoadOptions) {
    const senders = options.nodes.flatMap((_, node) =>
      Array.from({ length: SENDERS }, () => this.send(node)),
    );
    this.done = Promise.all(senders).then(() => undefined);
  }

  stop(): void {
    this.isStopped = true;
  }

  private async send(node: number): Promise<void> {
    const { contracts, count, nodes } = this.options;
    const own = contracts.filter(({ parties }) => parties.includes(node));
    while (!this.isStopped && this.acknowledged.size < count) {
      const contract = this.choose(own);
      const privateFor = contract.parties.filter((one) => one !== node).map((one) => nodes[one]?.ptmKey);
      const hash = await this.submit(node, {
        to: contract.address,
        gas: this.choose(GAS),
        data: `0x${Math.floor(this.options.random() * 2 ** 32)
          .toString(16)
          .padStart(64, '0')}`,
        privateFor,
        privacyFlag: contract.privacyFlag,
      });
      if (hash !== undefined) this.note(hash, node);
      else {
        this.refused += 1;
        await pause(PAUSE_MS);
      }
    }
  }

  private note(hash: string, node: number): void {
    this.acknowledged.set(hash, node);
    const { size } = this.acknowledged;
    if (size % 500 === 0) this.options.say(`${size} transactions are acknowledged`);
  }

  private async submit(node: number, request: object): Promise<string | undefined> {
    const { rpc, accounts } = this.options.nodes[node] as Endpoints['nodes'][number];
    const answer = callRpc(rpc, 'eth_sendTransaction', [{ from: accounts[0], ...request }]);
    const given = await Promise.race([answer.catch(() => undefined), pause(ANSWER_MS)]);
    return typeof given === 'string' ? given : undefined;
  }

  private choose<T>(members: readonly T[]): T {
    return members[Math.floor(this.options.random() * members.length)] as T;
  }
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
