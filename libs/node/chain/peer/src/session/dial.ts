import type { RecoverableSignature } from '@tetrad/crypto';
import { RequestError, TetradError } from '@tetrad/types';
import type { NodeId } from '../identity/node-id.js';
import { decodeChallenge, encodeProof, type Challenge, type Head } from '../wire/handshake-messages.js';
import { decodeIntroduction, encodeIntroduction, type Introduction } from '../wire/introduction.js';
import { decodeRejection, REJECTIONS, type Rejection } from '../wire/rejection.js';
import { FrameError } from './frame.js';
import { introduce, checkIntroduction } from './introduce.js';
import {
  createEphemeralKey,
  deriveSessionKeys,
  hasSigned,
  signHandshake,
  type Transcript,
} from './key-agreement.js';
import type { LocalNode } from './local-node.js';
import { Session } from './session.js';
import { FIRST_RANGED, agreedVersion, versionsOf } from './versions.js';
import { decodeWelcome } from './welcome.js';

/** A handshake that did not lead to a session. */
export class HandshakeError extends TetradError {
  override readonly name = 'HandshakeError';
  override readonly code = 'HANDSHAKE_REFUSED';

  /** @param isOurs - whether this side refused */
  constructor(
    readonly rejection: Rejection,
    readonly isOurs: boolean,
  ) {
    super(isOurs ? REJECTIONS[rejection] : `the peer refused: ${rejection}`, { data: { rejection, isOurs } });
  }
}

/** This node cannot prove its key, since the HSM or key service of it is away. It says nothing about the peer. */
export class OwnKeyUnavailableError extends TetradError {
  override readonly name = 'OwnKeyUnavailableError';
  override readonly code = 'OWN_KEY_UNAVAILABLE';
}

/**
 * Sends one step of the handshake to the listener.
 * @throws without an answer
 */
export type HandshakePost = (
  step: 'hello' | 'prove',
  body: Uint8Array,
) => Promise<{ readonly accepted: boolean; readonly body: Uint8Array }>;

/** The result of a handshake. */
export interface Acquaintance {
  readonly session: Session;
  readonly introduction: Introduction;
  /** The version of the protocol that both speak. */
  readonly version: number;
  /** How far the clock of the peer is ahead of this node's, as the handshake shows it. Units: ms */
  readonly clockOffsetMs: number;
}

interface Dialling {
  readonly post: HandshakePost;
  readonly now: () => number;
}

type Dialled = Acquaintance & { readonly head: Head };

/**
 * The dialer's side of the handshake: hello → challenge, proof → welcome. A peer that refuses our newest version by name may
 * speak the oldest alone, and is dialled once more in that.
 * @throws HandshakeError with the reason, ours or theirs; OwnKeyUnavailableError; whatever `post` fails with
 */
export async function dialHandshake(local: LocalNode, peerId: NodeId, parts: Dialling): Promise<Dialled> {
  try {
    return await dialOnce(local, peerId, { ...parts, isFallback: false });
  } catch (error) {
    const { oldest, newest } = local.versions;
    const isTooNew = error instanceof HandshakeError && !error.isOurs && error.rejection === 'wrong-version';
    if (!isTooNew || oldest >= FIRST_RANGED || newest < FIRST_RANGED) throw error;
    return dialOnce(local, peerId, { ...parts, isFallback: true });
  }
}

async function dialOnce(
  local: LocalNode,
  peerId: NodeId,
  { post, now, isFallback }: Dialling & { readonly isFallback: boolean },
): Promise<Dialled> {
  const ephemeral = createEphemeralKey();
  const sentMs = now();
  const own = { peerId, ephemeral: ephemeral.publicKey, nowMs: sentMs, inOldest: isFallback, isFallback };
  const hello = encodeIntroduction(introduce(local, own));
  const challenge = read(decodeChallenge, await send(post, 'hello', hello));
  const transcript = { dialer: hello, listener: challenge.introduction };
  const answeredMs = now();
  const { introduction, version } = check(local, challenge, { expected: peerId, hello, nowMs: answeredMs });
  // It was written about halfway between.
  const clockOffsetMs = introduction.timestampMs - (sentMs + answeredMs) / 2;
  const secret = read((key) => ephemeral.agree(key), introduction.ephemeral);
  const proof = encodeProof({
    nonce: introduction.nonce,
    signature: await signProof(transcript, local.key),
  });
  const keys = deriveSessionKeys('dialer', secret, transcript);
  const session = new Session(keys, true, Buffer.from(introduction.instance).toString('hex'), now());
  const welcome = decodeWelcome(open(session, await send(post, 'prove', proof)));
  if (!welcome.isWelcome) throw new HandshakeError(welcome.rejection, false);
  return { session, introduction, version, clockOffsetMs, head: welcome.head };
}

/** @throws OwnKeyUnavailableError */
async function signProof(transcript: Transcript, key: LocalNode['key']): Promise<RecoverableSignature> {
  try {
    return await signHandshake('dialer', transcript, key);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new OwnKeyUnavailableError(error.message, { cause: error });
  }
}

/**
 * The introduction of the listener, once it has proven to be the dialled node.
 * @throws HandshakeError
 */
function check(
  local: LocalNode,
  { introduction: listener, signature }: Challenge,
  { expected, hello, nowMs }: { expected: NodeId; hello: Uint8Array; nowMs: number },
): Pick<Acquaintance, 'introduction' | 'version'> {
  const introduction = read(decodeIntroduction, listener);
  const version = agreedVersion(versionsOf(read(decodeIntroduction, hello)), versionsOf(introduction));
  if (version === undefined) throw new HandshakeError('wrong-version', true);
  const rejection = checkIntroduction(local, introduction, { nowMs, expected });
  if (rejection !== undefined && rejection !== 'wrong-clock') throw new HandshakeError(rejection, true);
  const transcript = { dialer: hello, listener };
  if (!hasSigned(expected, 'listener', { transcript, signature })) {
    throw new HandshakeError('wrong-signature', true);
  }
  if (rejection !== undefined) throw new HandshakeError(rejection, true);
  return { introduction, version };
}

async function send(post: HandshakePost, step: 'hello' | 'prove', body: Uint8Array): Promise<Uint8Array> {
  const answer = await post(step, body);
  if (!answer.accepted) throw new HandshakeError(decodeRejection(answer.body), false);
  return answer.body;
}

function read<T>(decode: (bytes: Uint8Array) => T, bytes: Uint8Array): T {
  try {
    return decode(bytes);
  } catch {
    throw new HandshakeError('wrong-form', true);
  }
}

function open(session: Session, frame: Uint8Array): Uint8Array {
  try {
    return session.open('welcome', frame).plaintext;
  } catch (error) {
    if (error instanceof FrameError) throw new HandshakeError('wrong-signature', true);
    throw error;
  }
}
