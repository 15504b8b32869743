import { recoverAddress, decodeSignature65 } from '@tetrad/crypto';
import type { Address, Hash } from '@tetrad/types';
import { commitDigest } from '../../src/block-sealing.js';
import type { ConsensusMessage, ProposedBlock } from '../../src/messages/consensus-message.js';
import type { HeaderFormat } from '../../src/messages/proposed-block.js';
import { quorumOf } from '../../src/quorum.js';
import type { SharedDecoding } from './shared-decoding.js';
import type { SimulatedChain } from './simulated-chain.js';

/** Watches everything that is sent, and what every node has stored, for what must never happen. */
export class Invariants {
  readonly violations: string[] = [];
  private readonly watched = new WeakSet<Uint8Array>();
  private readonly said = new Map<string, string>();
  private readonly blocks = new Map<Hash, ProposedBlock>();
  /** Sealers of each block, by height and, where the seal covers it, round. */
  private readonly sealers = new Map<string, Set<Address>>();
  private readonly certified = new Map<number, Hash>();

  constructor(
    private readonly decoding: SharedDecoding,
    private readonly format: HeaderFormat,
    private readonly correct: ReadonlySet<Address>,
    private readonly adversaries: ReadonlySet<Address>,
  ) {}

  fail(text: string): void {
    if (this.violations.length < 20) this.violations.push(text);
  }

  /** A consensus message leaves a node; the same bytes go to several. */
  sent(bytes: Uint8Array): void {
    if (this.watched.has(bytes)) return;
    this.watched.add(bytes);
    const message = this.decoding.decode(bytes);
    if (message === undefined) return;
    if ('block' in message && message.block !== undefined) this.blocks.set(message.block.hash, message.block);
    if (this.correct.has(message.sender)) this.checkConsistent(message);
    if (!this.correct.has(message.sender) && !this.adversaries.has(message.sender)) return;
    if (message.kind === 'commit' || message.kind === 'seal') this.countSeal(message);
  }

  /** A correct validator says one thing of a kind in a view, also after restarts. */
  private checkConsistent(message: ConsensusMessage): void {
    const { kind, sender, height, round } = message;
    const key = kind === 'seal' ? `${kind}:${sender}:${height}` : `${kind}:${sender}:${height}:${round}`;
    const content =
      message.kind === 'proposal'
        ? message.block.hash
        : message.kind === 'roundChange'
          ? `${message.prepared?.round ?? ''}:${message.prepared?.digest ?? ''}`
          : message.digest;
    const earlier = this.said.get(key);
    if (earlier !== undefined && earlier !== content) this.fail(`${key} said ${earlier}, then ${content}`);
    this.said.set(key, content);
  }

  /** The seals seen on the wire must never make two blocks of one height final. */
  private countSeal(message: Extract<ConsensusMessage, { kind: 'commit' | 'seal' }>): void {
    const { digest, seal, round, height, sender } = message;
    const block = this.blocks.get(digest);
    if (block === undefined || seal.length === 0 || !this.fits(block, round, seal, sender)) return;
    const key = this.format === 'ibft' ? digest : `${digest}:${round}`;
    const sealers = this.sealers.get(key) ?? new Set(this.adversaries);
    this.sealers.set(key, sealers.add(sender));
    if (sealers.size < quorumOf(this.correct.size + this.adversaries.size)) return;
    const other = this.certified.get(height);
    if (other !== undefined && other !== digest) this.fail(`two blocks of height ${height} can be sealed`);
    this.certified.set(height, digest);
  }

  private fits(block: ProposedBlock, round: number, seal: Uint8Array, sender: Address): boolean {
    try {
      return (
        recoverAddress(commitDigest(this.format, block.header, round), decodeSignature65(seal)) === sender
      );
    } catch {
      return false;
    }
  }

  /** No two correct nodes have different blocks at a height. */
  checkAgreement(chains: readonly SimulatedChain[]): void {
    const longest = chains.reduce((best, chain) => (chain.height > best.height ? chain : best));
    for (const [number, { hash }] of longest.blocks.entries()) {
      for (const chain of chains) {
        const block = chain.blocks[number];
        if (block !== undefined && block.hash !== hash) this.fail(`fork at height ${number}`);
      }
    }
  }
}
