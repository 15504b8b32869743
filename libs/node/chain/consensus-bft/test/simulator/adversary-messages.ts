import type { Hash } from '@tetrad/types';
import { commitDigest } from '../../src/block-sealing.js';
import type {
  ProposalMessage,
  ProposedBlock,
  SignedPrepare,
  SignedRoundChange,
  View,
} from '../../src/messages/consensus-message.js';
import { encodeMessage } from '../../src/messages/message-encoding.js';
import {
  commitPayload,
  preparePayload,
  proposalPayload,
  roundChangePayload,
  signingDigest,
} from '../../src/messages/message-signing.js';
import type { HeaderFormat } from '../../src/messages/proposed-block.js';
import type { ValidatorKey } from './validator-keys.js';

/** Makes well-formed, well-signed messages of a validator that has no record to hold it back. */
export class AdversaryMessages {
  constructor(
    private readonly key: ValidatorKey,
    private readonly format: HeaderFormat,
  ) {}

  prepare(view: View, digest: Hash): Uint8Array {
    return encodeMessage({ kind: 'prepare', ...this.signedPrepare(view, digest), sender: this.key.address });
  }

  signedPrepare({ height, round }: View, digest: Hash): SignedPrepare {
    const payload = { height, round, digest };
    return { ...payload, signature: this.key.sign(signingDigest('prepare', preparePayload(payload))) };
  }

  /** @param honestSeal - whether the seal is what it should be */
  commit({ height, round }: View, block: ProposedBlock, honestSeal: boolean): Uint8Array {
    const digest = honestSeal ? commitDigest(this.format, block.header, round) : new Uint8Array(32).fill(9);
    const seal = this.format === 'ibft' && honestSeal ? new Uint8Array(0) : this.key.sign(digest);
    const payload = { height, round, digest: block.hash, seal };
    const signature = this.key.sign(signingDigest('commit', commitPayload(payload)));
    return encodeMessage({ kind: 'commit', ...payload, signature, sender: this.key.address });
  }

  seal({ height, round }: View, block: ProposedBlock): Uint8Array {
    const seal = this.key.sign(commitDigest(this.format, block.header, round));
    const payload = { height, round, digest: block.hash, seal };
    const signature = this.key.sign(signingDigest('seal', commitPayload(payload)));
    return encodeMessage({ kind: 'seal', ...payload, signature, sender: this.key.address });
  }

  roundChange(
    { height, round }: View,
    certificate?: { round: number; block: ProposedBlock; prepares: readonly SignedPrepare[] },
  ): Uint8Array {
    const signed = this.signedRoundChange({ height, round }, certificate);
    const block = certificate === undefined ? {} : { block: certificate.block };
    const prepares = certificate?.prepares ?? [];
    return encodeMessage({ kind: 'roundChange', ...signed, ...block, prepares, sender: this.key.address });
  }

  signedRoundChange(
    { height, round }: View,
    certificate?: { round: number; block: ProposedBlock },
  ): SignedRoundChange {
    const prepared =
      certificate === undefined
        ? {}
        : { prepared: { round: certificate.round, digest: certificate.block.hash } };
    const payload = { height, round, ...prepared };
    const signature = this.key.sign(signingDigest('roundChange', roundChangePayload(payload)));
    return { ...payload, signature };
  }

  proposal(
    { height, round }: View,
    block: ProposedBlock,
    justification: Pick<ProposalMessage, 'roundChanges' | 'prepares'>,
  ): Uint8Array {
    const payload = proposalPayload({ height, round }, block.encoded);
    const signature = this.key.sign(signingDigest('proposal', payload));
    const sender = this.key.address;
    return encodeMessage({ kind: 'proposal', height, round, block, ...justification, signature, sender });
  }
}
