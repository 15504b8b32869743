import { draftHeader } from '@tetrad/node-ledger';
import type { PayloadHash } from '@tetrad/node-private-state';
import { seededRandom, until } from '@tetrad/testkit';
import { RequestError, ZERO_ADDRESS, bytesFromHex, type Block, type SignedTransaction } from '@tetrad/types';
import { generateKeyPair } from '../../../../../../transaction-manager/src/keys/key-pair.js';
import { DryRunFailedError } from '../../../src/index.js';
import { ExpectedStates } from './expected-states.js';
import { FaultyManager } from './faulty-manager.js';
import { PrivateNode } from './private-node.js';
import {
  PrivateTraffic,
  distributionOf,
  type PrivateAction,
  type SendMarked,
  type SendPayload,
} from './private-traffic.js';

export const NODES = 3;

/** Rejections of the rules of privacy; whatever else a send fails with is a fault on its way, and it is sent again. */
const FORBIDDEN =
  /flag doesn't match|contract not found|PrivacyMetadata not found|has no account|Recipients mismatched|Privacy metadata mismatched|mandatory recipients not included/;
const ON_ITS_WAY =
  /is not ready|Unable to push|Connection error|Recipient not found|out of memory|Cannot POST/;

/** Nodes with their managers, between which requests meet faults, on one chain; and what would be without faults. */
export class FaultyNetwork {
  readonly traffic: PrivateTraffic;
  /** How often something was sent again, and how often it was forbidden. */
  readonly counts = { sentAgain: 0, forbidden: 0 };

  private constructor(
    readonly managers: readonly FaultyManager[],
    readonly nodes: readonly PrivateNode[],
    readonly expected: ExpectedStates,
    random: () => number,
  ) {
    this.traffic = new PrivateTraffic(random, NODES, { payload: this.sendPayload, marked: this.sendMarked });
  }

  static async open(seed: number): Promise<FaultyNetwork> {
    const random = seededRandom(seed);
    const managers: FaultyManager[] = [];
    for (let index = 0; index < NODES; index++)
      managers.push(await FaultyManager.open(generateKeyPair(), random, managers));
    const states = new ExpectedStates(managers.map(({ key }) => key));
    const nodes: PrivateNode[] = [];
    for (const [index, { links }] of managers.entries()) {
      const write = seededRandom(Math.floor(random() * 2 ** 31));
      nodes.push(
        await PrivateNode.open({
          links,
          drawWrite: () => {
            const turn = write();
            return turn < 0.8 ? 'done' : turn < 0.9 ? 'lost' : 'done unheard';
          },
          onSent: (hash, request) => states.add(index, hash, request),
        }),
      );
    }
    return new FaultyNetwork(managers, nodes, states, random);
  }

  /** A block of the traffic, which every node has afterwards; private state may be behind. */
  async addBlock(senders: readonly number[]): Promise<Block> {
    const [first] = this.nodes as readonly [PrivateNode];
    const block = await mint(first, await this.traffic.next(senders));
    for (const { ledger } of this.nodes) await ledger.importBlock(block);
    await this.expected.follow(block);
    return block;
  }

  /** Ends all faults. */
  heal(): void {
    for (const { links } of this.managers) {
      for (const link of Object.values(links)) {
        link.isDown = false;
        link.isHealed = true;
      }
    }
  }

  async end(): Promise<void> {
    for (const node of this.nodes) await node.end();
    for (const manager of this.managers) await manager.end();
  }

  private readonly sendPayload: SendPayload = async (action, call) => {
    const { to, payload, sender } = action;
    const request = { ...call, to, gasPrice: 0n, payload };
    return this.send(() =>
      (this.nodes[sender] as PrivateNode).distributor.distribute(request, this.distributionOf(action)),
    );
  };

  private readonly sendMarked: SendMarked = async (action, transaction) => {
    const { distributor } = this.nodes[action.sender] as PrivateNode;
    const hash = await this.send(() =>
      distributor.distributeMarked(transaction, this.distributionOf(action)),
    );
    if (hash === undefined) throw new Error('a signed transaction was forbidden');
    return hash;
  };

  /**
   * Sends until it is sent, as a client would.
   * @returns undefined when the rules forbid it
   */
  private async send(attempt: () => Promise<PayloadHash>): Promise<Uint8Array | undefined> {
    for (;;) {
      await this.meet();
      try {
        return bytesFromHex(await attempt());
      } catch (error) {
        const { message } = error as Error;
        if (error instanceof DryRunFailedError || FORBIDDEN.test(message)) {
          this.counts.forbidden += 1;
          return undefined;
        }
        if (!(error instanceof RequestError) || !ON_ITS_WAY.test(message)) throw error;
        this.counts.sentAgain += 1;
      }
    }
  }

  /** Waits until every manager knows where the keys of the others are; one that was not reached is forgotten for a time. */
  private meet(): Promise<void> {
    const keys = this.managers.map(({ key }) => key);
    return until(() => this.managers.every((manager) => manager.knows(keys)), 2);
  }

  private distributionOf(action: PrivateAction) {
    return distributionOf(
      action,
      this.managers.map(({ key }) => key),
    );
  }
}

/** A block on top of the head. */
async function mint({ ledger }: PrivateNode, transactions: readonly SignedTransaction[]): Promise<Block> {
  const head = ledger.head();
  const timestamp = ledger.rules.timestampAt(1_600_000_000_000 + 1_000 * (head.header.number + 1));
  const next = ledger.rules.nextContext(head.header, { proposer: ZERO_ADDRESS, timestamp });
  const context = ledger.contextAbove(next);
  const execution = ledger.execute(context, await ledger.worldAt(head));
  await execution.addAll(transactions);
  const executed = await execution.finish();
  const header = draftHeader({
    parentHash: head.hash,
    timestamp,
    block: context,
    fork: ledger.executor.rules(context),
    commitments: { ...executed, stateRoot: executed.changes.stateRoot },
  });
  return { hash: ledger.rules.hashHeader(header), header, transactions: [...transactions] };
}
