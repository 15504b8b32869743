import type { Address, Hash } from '@tetrad/types';
import type {
  ProposalMessage,
  RoundChangeMessage,
  SignedPrepare,
  SignedRoundChange,
  View,
} from '../messages/consensus-message.js';
import { MessageError } from '../messages/message-fields.js';
import { prepareSender, roundChangeSender } from '../messages/message-signing.js';
import type { Height } from './height.js';

/**
 * Whether a quorum of validators prepared the digest in the round.
 *
 * Every entry of the list has to fit: an honest sender adds nothing else.
 */
export function isPreparedBy(
  height: Height,
  prepares: readonly SignedPrepare[],
  { round, digest }: { readonly round: number; readonly digest: Hash },
): boolean {
  const fit = prepares.every(
    (prepare) => prepare.height === height.height && prepare.round === round && prepare.digest === digest,
  );
  return fit && prepares.length >= height.quorum && areDistinctMembers(height, prepares, prepareSender);
}

/** Whether the certificate of a ROUND-CHANGE proves its claim. */
export function isRoundChangeSound(height: Height, message: RoundChangeMessage): boolean {
  const { round, prepared, block, prepares } = message;
  if (round === 0) return false;
  if (prepared === undefined) return block === undefined && prepares.length === 0;
  return (
    prepared.round < round && block?.hash === prepared.digest && isPreparedBy(height, prepares, prepared)
  );
}

/** Why a proposal may be made: nothing was prepared before, or this block was. */
export type Justification = 'fresh' | 'prepared' | undefined;

/**
 * Whether a proposal of a round above 0 follows from a quorum of round changes.
 *
 * Either a quorum of them is unprepared and the PREPAREs are empty; or the PREPAREs are a quorum of one round for this
 * block, a round change reports exactly that, and a quorum of them reports nothing newer.
 *
 * Source: docs/spec/bft.md#rounds; EEA QBFT specification, section 4.2.7
 */
export function justificationOf(height: Height, proposal: ProposalMessage): Justification {
  const { round, block, roundChanges, prepares } = proposal;
  if (round === 0) return roundChanges.length === 0 && prepares.length === 0 ? 'fresh' : undefined;
  const fit = roundChanges.every((one) => one.height === height.height && one.round === round);
  if (!fit || !areDistinctMembers(height, roundChanges, roundChangeSender)) return undefined;
  const [first] = prepares;
  if (first === undefined) return countUpTo(roundChanges, -1) >= height.quorum ? 'fresh' : undefined;
  const prepared = { round: first.round, digest: block.hash };
  const reported = roundChanges.some(
    (one) => one.prepared?.round === prepared.round && one.prepared.digest === prepared.digest,
  );
  const proven =
    prepared.round < round &&
    reported &&
    countUpTo(roundChanges, prepared.round) >= height.quorum &&
    isPreparedBy(height, prepares, prepared);
  return proven ? 'prepared' : undefined;
}

/** Round changes that report no certificate newer than the round. */
function countUpTo(roundChanges: readonly SignedRoundChange[], round: number): number {
  return roundChanges.filter(({ prepared }) => prepared === undefined || prepared.round <= round).length;
}

/** Whether all are signed by validators, each by another; stops at the first that is not. */
function areDistinctMembers<S extends View>(
  height: Height,
  signed: readonly S[],
  senderOf: (one: S) => Address,
): boolean {
  const senders = new Set<Address>();
  for (const one of signed) {
    const sender = recover(() => senderOf(one));
    if (sender === undefined || !height.members.has(sender) || senders.has(sender)) return false;
    senders.add(sender);
  }
  return true;
}

function recover(senderOf: () => Address): Address | undefined {
  try {
    return senderOf();
  } catch (error) {
    if (error instanceof MessageError) return undefined;
    throw error;
  }
}
