import {
  payloadHash,
  type PayloadAnswer,
  type PayloadHash,
  type PrivacyFlag,
  type PrivateResult,
} from '@tetrad/node-private-state';
import { hashFromBytes, type Block, type Hash, type PtmKey } from '@tetrad/types';
import { FollowedChain } from '../../../../../privacy/private-state/test/followed-chain.js';
import type { Sent } from './private-node.js';

/** A node's private state after a block, and the results of the block's private transactions. */
export interface Expected {
  readonly root: Hash;
  readonly results: readonly PrivateResult[];
}

/**
 * Private state of every node in a run without faults: in memory, without managers and databases, from what was sent and
 * to whom.
 */
export class ExpectedStates {
  private readonly sent = new Map<PayloadHash, { readonly sender: number; readonly request: Sent }>();
  private readonly chains: readonly FollowedChain[];
  private readonly blocks: Expected[][];

  constructor(private readonly keys: readonly PtmKey[]) {
    this.chains = keys.map((_, node) => {
      return new FollowedChain('private', { find: async (hash) => this.find(node, hash) });
    });
    this.blocks = this.chains.map((chain) => [{ root: chain.roots.privateRoot, results: [] }]);
  }

  add(sender: number, hash: PayloadHash, request: Sent): void {
    this.sent.set(hash, { sender, request });
  }

  async follow(block: Block): Promise<void> {
    for (const [node, chain] of this.chains.entries()) {
      const outcome = await chain.follow(block);
      if (outcome.kind === 'paused') throw new Error(outcome.reason);
      this.blocks[node]?.push({ root: chain.roots.privateRoot, results: outcome.results });
    }
  }

  /** After the block, on the node. */
  at(node: number, blockNumber: number): Expected {
    return this.blocks[node]?.[blockNumber] as Expected;
  }

  metadataOf(node: number): FollowedChain['metadata'] {
    return (this.chains[node] as FollowedChain).metadata;
  }

  private find(node: number, hash: PayloadHash): PayloadAnswer {
    const found = this.sent.get(hash);
    if (found === undefined) throw new Error(`${hash} was not sent`);
    const { sender, request } = found;
    const key = this.keys[node] as PtmKey;
    if (sender !== node && !request.to.includes(key)) return { kind: 'notParty' };
    const root = Buffer.from(request.execHash, 'base64');
    return {
      kind: 'payload',
      payload: {
        data: request.payload,
        privacyFlag: request.privacyFlag as PrivacyFlag,
        affectedCreations: new Set(request.affected.map(payloadHash)),
        ...(root.length === 0 ? {} : { executionRoot: hashFromBytes(root) }),
        sender: this.keys[sender],
        managedParties: [key],
      },
    };
  }
}
