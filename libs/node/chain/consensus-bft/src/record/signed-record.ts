import type { Hash } from '@tetrad/types';
import type { ProposedBlock, SignedPrepare, View } from '../messages/consensus-message.js';

/** Proof that a quorum prepared a block in a round; the next proposer has to propose it again. */
export interface PreparedCertificate {
  readonly round: number;
  readonly block: ProposedBlock;
  /** A quorum of them, of that round and that block. */
  readonly prepares: readonly SignedPrepare[];
}

/**
 * What a validator has signed, stored before it is sent.
 *
 * Only the newest view matters: nothing is ever signed for an older one. The rest is what must not be contradicted in
 * that view, and what the validator has to tell others of the height after a restart.
 */
export interface SignedRecord extends View {
  /** In the round of the record: the blocks that were proposed, prepared and committed. */
  readonly proposal?: Hash;
  readonly prepare?: Hash;
  readonly commit?: Hash;
  /** Whether the change to the round of the record was announced. */
  readonly roundChange: boolean;
  /** At the height of the record: the block that was sealed after the decision (IBFT). */
  readonly seal?: Hash;
  /** At the height of the record: the newest certificate, which every later round change reports. */
  readonly certificate?: PreparedCertificate;
}

/** The record of a validator that never signed. */
export const EMPTY_RECORD: SignedRecord = { height: 0, round: 0, roundChange: false };

/** A message that a validator is about to sign. */
export type SigningIntent =
  | (View & { readonly kind: 'proposal' | 'prepare' | 'seal'; readonly digest: Hash })
  | (View & { readonly kind: 'commit'; readonly digest: Hash; readonly certificate: PreparedCertificate })
  | (View & { readonly kind: 'roundChange' });

/**
 * The record with the intent added; undefined when signing would contradict an earlier signature.
 *
 * | Intent          | older view | newer round or height | same round                                              |
 * | --------------- | ---------- | --------------------- | ------------------------------------------------------- |
 * | proposal        | no         | yes                   | none so far, or the same block                          |
 * | prepare         | no         | yes                   | none so far, or the same block                          |
 * | commit          | no         | yes                   | none so far, or the same block; certificate of the round |
 * | seal            | no         | yes, unless another block was sealed at the height | likewise                     |
 * | round change    | no         | yes                   | nothing but the round change itself was signed in it    |
 *
 * Signing the same again is allowed: it is the same message, also under another signature, which keys in HSMs give.
 */
export function recordSigning(record: SignedRecord, intent: SigningIntent): SignedRecord | undefined {
  const base = atView(record, intent);
  if (base === undefined) return undefined;
  switch (intent.kind) {
    case 'proposal':
    case 'prepare':
    case 'seal': {
      const earlier = base[intent.kind];
      return earlier === undefined || earlier === intent.digest
        ? { ...base, [intent.kind]: intent.digest }
        : undefined;
    }
    case 'commit': {
      const fits =
        intent.certificate.round === intent.round && intent.certificate.block.hash === intent.digest;
      const agrees = base.commit === undefined || base.commit === intent.digest;
      return fits && agrees ? { ...base, commit: intent.digest, certificate: intent.certificate } : undefined;
    }
    case 'roundChange':
      return mayAnnounce(base) ? { ...base, roundChange: true } : undefined;
  }
}

/** The record at the start of a view; undefined when the view is over. */
function atView(record: SignedRecord, { height, round }: View): SignedRecord | undefined {
  if (height > record.height) return { height, round, roundChange: false };
  if (height < record.height || round < record.round) return undefined;
  if (round === record.round) return record;
  const { seal, certificate } = record;
  return {
    height,
    round,
    roundChange: false,
    ...(seal === undefined ? {} : { seal }),
    ...(certificate === undefined ? {} : { certificate }),
  };
}

/** A round change reports what was prepared before its round, so it must be the first message signed in the round. */
function mayAnnounce({ round, proposal, prepare, commit, certificate }: SignedRecord): boolean {
  const nothingElse = proposal === undefined && prepare === undefined && commit === undefined;
  return nothingElse && (certificate === undefined || certificate.round < round);
}
