import type { Hash } from '@tetrad/types';
import { commitDigest } from '../block-sealing.js';
import type {
  CommitMessage,
  PrepareMessage,
  ProposalMessage,
  ProposedBlock,
  RoundChangeMessage,
  SealMessage,
} from '../messages/consensus-message.js';
import {
  commitPayload,
  preparePayload,
  proposalPayload,
  roundChangePayload,
  signingDigest,
} from '../messages/message-signing.js';
import { recordSigning, type PreparedCertificate, type SigningIntent } from '../record/signed-record.js';
import type { Transition } from './transition.js';

/**
 * Each creates a message of this validator, records it and sends it to all validators.
 * @returns undefined when the record forbids it, which happens after a restart alone, or the key does not sign; what is on
 *   record then without having been sent forbids more than necessary, and never less
 */
export function sendProposal(
  transition: Transition,
  block: ProposedBlock,
  justification: Pick<ProposalMessage, 'roundChanges' | 'prepares'>,
): ProposalMessage | undefined {
  const { view } = transition;
  if (!authorise(transition, { kind: 'proposal', ...view, digest: block.hash })) return undefined;
  const own = signed(transition, signingDigest('proposal', proposalPayload(view, block.encoded)));
  if (own === undefined) return undefined;
  const message = { kind: 'proposal' as const, ...view, ...own, block, ...justification };
  transition.emit({ type: 'broadcast', message });
  return message;
}

export function sendPrepare(transition: Transition, digest: Hash): PrepareMessage | undefined {
  const payload = { ...transition.view, digest };
  if (!authorise(transition, { kind: 'prepare', ...payload })) return undefined;
  const own = signed(transition, signingDigest('prepare', preparePayload(payload)));
  if (own === undefined) return undefined;
  const message = { kind: 'prepare' as const, ...payload, ...own };
  transition.emit({ type: 'broadcast', message });
  return message;
}

export function sendCommit(
  transition: Transition,
  certificate: PreparedCertificate,
): CommitMessage | undefined {
  const { header, hash } = certificate.block;
  if (!authorise(transition, { kind: 'commit', ...transition.view, digest: hash, certificate }))
    return undefined;
  const { format } = transition.height;
  // An IBFT seal says nothing of the round, so it waits for the decision (docs/adr/0030).
  const seal =
    format === 'ibft'
      ? new Uint8Array(0)
      : transition.identity.sign(commitDigest(format, header, transition.state.round));
  if (seal === undefined) return undefined;
  const payload = { ...transition.view, digest: hash, seal };
  const own = signed(transition, signingDigest('commit', commitPayload(payload)));
  if (own === undefined) return undefined;
  const message = { kind: 'commit' as const, ...payload, ...own };
  transition.emit({ type: 'broadcast', message });
  return message;
}

export function sendSeal(transition: Transition, { hash, header }: ProposedBlock): SealMessage | undefined {
  if (!authorise(transition, { kind: 'seal', ...transition.view, digest: hash })) return undefined;
  const seal = transition.identity.sign(
    commitDigest(transition.height.format, header, transition.state.round),
  );
  if (seal === undefined) return undefined;
  const payload = { ...transition.view, digest: hash, seal };
  const own = signed(transition, signingDigest('seal', commitPayload(payload)));
  if (own === undefined) return undefined;
  const message = { kind: 'seal' as const, ...payload, ...own };
  transition.emit({ type: 'broadcast', message });
  return message;
}

export function sendRoundChange(transition: Transition): RoundChangeMessage | undefined {
  if (!authorise(transition, { kind: 'roundChange', ...transition.view })) return undefined;
  const { certificate } = transition.state.record;
  const prepared =
    certificate === undefined
      ? {}
      : { prepared: { round: certificate.round, digest: certificate.block.hash } };
  const payload = { ...transition.view, ...prepared };
  const own = signed(transition, signingDigest('roundChange', roundChangePayload(payload)));
  if (own === undefined) return undefined;
  const message = {
    kind: 'roundChange' as const,
    ...payload,
    ...own,
    ...(certificate === undefined ? {} : { block: certificate.block }),
    prepares: certificate?.prepares ?? [],
  };
  transition.emit({ type: 'broadcast', message });
  return message;
}

/** Whether the record allows the intent; if so, adds it to the record, which is stored before the message is sent. */
function authorise(transition: Transition, intent: SigningIntent): boolean {
  const record = recordSigning(transition.state.record, intent);
  if (record === undefined) {
    const text = `a ${intent.kind} would contradict what was signed before`;
    transition.reportOnce({ what: 'withheld', ...transition.view, text });
    return false;
  }
  transition.set({ record });
  transition.emit({ type: 'persist', record });
  return true;
}

function signed({ identity }: Transition, digest: Uint8Array) {
  const signature = identity.sign(digest);
  return signature && { signature, sender: identity.address };
}
