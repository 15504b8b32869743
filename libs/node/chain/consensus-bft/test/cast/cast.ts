import { parseHash, type Hash } from '@tetrad/types';
import { commitDigest } from '../../src/block-sealing.js';
import { createHeight, type HeightContext } from '../../src/machine/height.js';
import type {
  CommitMessage,
  PrepareMessage,
  ProposalMessage,
  ProposedBlock,
  RoundChangeMessage,
  SealMessage,
  SignedPrepare,
} from '../../src/messages/consensus-message.js';
import {
  commitPayload,
  preparePayload,
  proposalPayload,
  roundChangePayload,
  signingDigest,
} from '../../src/messages/message-signing.js';
import { decodeProposedBlock, type HeaderFormat } from '../../src/messages/proposed-block.js';
import { SimulatedChain } from '../simulator/simulated-chain.js';
import { validatorKey, type ValidatorKey } from '../simulator/validator-keys.js';

export const OTHER_DIGEST: Hash = parseHash(`0x${'77'.repeat(32)}`);

/** The validators of one chain and whatever they might say about its first block. */
export class Cast {
  readonly keys: readonly ValidatorKey[];
  readonly context: HeightContext;
  private readonly chain: SimulatedChain;

  constructor(
    size: number,
    readonly format: HeaderFormat = 'qbft',
  ) {
    this.keys = Array.from({ length: size }, (_, index) => validatorKey(index + 1));
    const validators = this.keys.map(({ address }) => address);
    const settings = { format, policy: 'roundRobin' as const, validators, genesisTimestamp: 1_000 };
    this.chain = new SimulatedChain({ ...settings, verified: new WeakSet() });
    this.context = this.chain.context();
  }

  get height() {
    return createHeight(this.context);
  }

  /** The key by its place in the list. */
  key(index: number): ValidatorKey {
    const key = this.keys[index];
    if (key === undefined) throw new Error(`no validator ${index}`);
    return key;
  }

  /** The proposer of the round. */
  proposer(round: number): ValidatorKey {
    const address = this.height.proposerAt(round);
    const key = this.keys.find((one) => one.address === address);
    if (key === undefined) throw new Error(`no proposer in round ${round}`);
    return key;
  }

  others(key: ValidatorKey): ValidatorKey[] {
    return this.keys.filter((one) => one !== key);
  }

  /** @param variant - blocks of one author with different variants differ */
  block(author: ValidatorKey, variant = 0): ProposedBlock {
    const encoded = this.chain.build({ ...author, nowMs: 0, vanity: Uint8Array.of(variant) });
    return decodeProposedBlock(encoded, this.format);
  }

  proposal(
    key: ValidatorKey,
    round: number,
    block: ProposedBlock,
    justification: Partial<Pick<ProposalMessage, 'roundChanges' | 'prepares'>> = {},
  ): ProposalMessage {
    const view = { height: 1, round };
    const signature = key.sign(signingDigest('proposal', proposalPayload(view, block.encoded)));
    const reasons = { roundChanges: [], prepares: [], ...justification };
    return { kind: 'proposal', ...view, sender: key.address, signature, block, ...reasons };
  }

  prepare(key: ValidatorKey, round: number, digest: Hash, height = 1): PrepareMessage {
    const payload = { height, round, digest };
    const signature = key.sign(signingDigest('prepare', preparePayload(payload)));
    return { kind: 'prepare', ...payload, sender: key.address, signature };
  }

  commit(
    key: ValidatorKey,
    round: number,
    block: ProposedBlock,
    sealedBy: ValidatorKey = key,
  ): CommitMessage {
    const digest = commitDigest(this.format, block.header, round);
    const seal = this.format === 'ibft' ? new Uint8Array(0) : sealedBy.sign(digest);
    const payload = { height: 1, round, digest: block.hash, seal };
    const signature = key.sign(signingDigest('commit', commitPayload(payload)));
    return { kind: 'commit', ...payload, sender: key.address, signature };
  }

  seal(key: ValidatorKey, round: number, block: ProposedBlock, sealedBy: ValidatorKey = key): SealMessage {
    const seal = sealedBy.sign(commitDigest(this.format, block.header, round));
    const payload = { height: 1, round, digest: block.hash, seal };
    const signature = key.sign(signingDigest('seal', commitPayload(payload)));
    return { kind: 'seal', ...payload, sender: key.address, signature };
  }

  roundChange(
    key: ValidatorKey,
    round: number,
    certificate?: { round: number; block: ProposedBlock; prepares: readonly SignedPrepare[] },
  ): RoundChangeMessage {
    const prepared =
      certificate === undefined
        ? {}
        : { prepared: { round: certificate.round, digest: certificate.block.hash } };
    const payload = { height: 1, round, ...prepared };
    const signature = key.sign(signingDigest('roundChange', roundChangePayload(payload)));
    const carried = certificate === undefined ? {} : { block: certificate.block };
    const prepares = certificate?.prepares ?? [];
    return { kind: 'roundChange', ...payload, sender: key.address, signature, ...carried, prepares };
  }

  /** A quorum's certificate for the block in the round. */
  certificate(block: ProposedBlock, round: number, size: number = this.height.quorum) {
    const prepares = this.keys.slice(0, size).map((key) => this.prepare(key, round, block.hash));
    return { round, block, prepares };
  }
}
