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
import type { Turn } from './turn.js';

/**
 * Each makes a message of this validator, has it recorded and sends it to all.
 *
 * Out: undefined when the record forbids it, which happens after a restart alone
 */
export function sendProposal(
  turn: Turn,
  block: ProposedBlock,
  justification: Pick<ProposalMessage, 'roundChanges' | 'prepares'>,
): ProposalMessage | undefined {
  const { view } = turn;
  if (!authorise(turn, { kind: 'proposal', ...view, digest: block.hash })) return undefined;
  const digest = signingDigest('proposal', proposalPayload(view, block.encoded));
  const message = { kind: 'proposal' as const, ...view, ...signed(turn, digest), block, ...justification };
  turn.emit({ type: 'broadcast', message });
  return message;
}

export function sendPrepare(turn: Turn, digest: Hash): PrepareMessage | undefined {
  const payload = { ...turn.view, digest };
  if (!authorise(turn, { kind: 'prepare', ...payload })) return undefined;
  const signature = signed(turn, signingDigest('prepare', preparePayload(payload)));
  const message = { kind: 'prepare' as const, ...payload, ...signature };
  turn.emit({ type: 'broadcast', message });
  return message;
}

export function sendCommit(turn: Turn, certificate: PreparedCertificate): CommitMessage | undefined {
  const { header, hash } = certificate.block;
  if (!authorise(turn, { kind: 'commit', ...turn.view, digest: hash, certificate })) return undefined;
  const { format } = turn.height;
  // An IBFT seal says nothing of the round, so it waits for the decision (docs/adr/0031).
  const seal =
    format === 'ibft'
      ? new Uint8Array(0)
      : turn.identity.sign(commitDigest(format, header, turn.state.round));
  const payload = { ...turn.view, digest: hash, seal };
  const message = {
    kind: 'commit' as const,
    ...payload,
    ...signed(turn, signingDigest('commit', commitPayload(payload))),
  };
  turn.emit({ type: 'broadcast', message });
  return message;
}

export function sendSeal(turn: Turn, { hash, header }: ProposedBlock): SealMessage | undefined {
  if (!authorise(turn, { kind: 'seal', ...turn.view, digest: hash })) return undefined;
  const seal = turn.identity.sign(commitDigest(turn.height.format, header, turn.state.round));
  const payload = { ...turn.view, digest: hash, seal };
  const message = {
    kind: 'seal' as const,
    ...payload,
    ...signed(turn, signingDigest('seal', commitPayload(payload))),
  };
  turn.emit({ type: 'broadcast', message });
  return message;
}

export function sendRoundChange(turn: Turn): RoundChangeMessage | undefined {
  if (!authorise(turn, { kind: 'roundChange', ...turn.view })) return undefined;
  const { certificate } = turn.state.record;
  const prepared =
    certificate === undefined
      ? {}
      : { prepared: { round: certificate.round, digest: certificate.block.hash } };
  const payload = { ...turn.view, ...prepared };
  const message = {
    kind: 'roundChange' as const,
    ...payload,
    ...signed(turn, signingDigest('roundChange', roundChangePayload(payload))),
    ...(certificate === undefined ? {} : { block: certificate.block }),
    prepares: certificate?.prepares ?? [],
  };
  turn.emit({ type: 'broadcast', message });
  return message;
}

/** Whether the record allows it; then it is in the record, and the record is stored before the message is sent. */
function authorise(turn: Turn, intent: SigningIntent): boolean {
  const record = recordSigning(turn.state.record, intent);
  if (record === undefined) {
    const text = `a ${intent.kind} would contradict what was signed before`;
    turn.reportOnce({ what: 'withheld', ...turn.view, text });
    return false;
  }
  turn.set({ record });
  turn.emit({ type: 'persist', record });
  return true;
}

function signed({ identity }: Turn, digest: Uint8Array) {
  return { signature: identity.sign(digest), sender: identity.address };
}
