import { movingMs, type PeerLimits } from '../limits.js';
import type { PeerConnection } from '../peers/peer-connection.js';
import type { Stopwatch } from '../peers/stopwatch.js';
import { FRAME_OVERHEAD, FrameError } from '../session/frame.js';
import type { Session } from '../session/session.js';
import { PeerUnreachableError, type PeerAnswer } from './peer-client.js';
import { PATHS, SESSION_HEADER, STATUS, type PostedKind } from './protocol.js';

/** Outcome of a message to a peer. */
export type ExchangeOutcome =
  | { readonly kind: 'answered'; readonly answer: Uint8Array }
  /** It is over its limits now. */
  | { readonly kind: 'busy' }
  /** It did not answer in time. */
  | { readonly kind: 'late' }
  /** It cannot be reached, or rejects this node. */
  | { readonly kind: 'lost'; readonly reason: 'unreachable' | 'refused' }
  /** It no longer knows the session: it was restarted. */
  | { readonly kind: 'forgotten' };

export interface ExchangeRequest {
  readonly kind: PostedKind;
  readonly message: Uint8Array;
  /** Beside the one of the session; not authenticated. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Until the whole answer is there, besides the time that the message's bytes take. */
  readonly timeoutMs: number;
  /** Largest answer. */
  readonly answerBytes: number;
}

/** Dependencies of an exchange. */
export interface ExchangeTools {
  readonly limits: PeerLimits;
  readonly stopwatch: Stopwatch;
}

/** The other side may have closed an idle connection at the moment of its use; another one is tried then. */
const ATTEMPTS = 2;

/** Sends a message with the connection's session and gives the authenticated answer. Never fails. */
export async function exchange(
  connection: PeerConnection,
  request: ExchangeRequest,
  tools: ExchangeTools,
): Promise<ExchangeOutcome> {
  for (let attempt = 1; ;) {
    const { session } = connection;
    if (connection.isClosed) return { kind: 'lost', reason: 'unreachable' };
    if (session === undefined) return { kind: 'forgotten' };
    // Without a usable session, a new connection is made with new keys.
    const outcome = session.isWorn
      ? 'unknown session'
      : await attemptOnce(connection, session, { request, ...tools });
    if (outcome === 'unknown session') {
      connection.detach(session.id);
    } else if (outcome.kind !== 'lost' || outcome.reason === 'refused' || attempt++ === ATTEMPTS) {
      return outcome;
    }
  }
}

async function attemptOnce(
  connection: PeerConnection,
  session: Session,
  { request, limits, stopwatch }: { request: ExchangeRequest } & ExchangeTools,
): Promise<ExchangeOutcome | 'unknown session'> {
  // A message that is sent again is sealed again: its counter may have been seen.
  const { counter, frame } = stopwatch.time(() => session.seal(request.kind, request.message));
  try {
    const sent = {
      frame,
      timeoutMs: request.timeoutMs + movingMs(limits, frame.length),
      answerBytes: request.answerBytes + FRAME_OVERHEAD,
    };
    const answer = await stopwatch.time(() => carry(connection, session, { request, limits, sent }));
    return stopwatch.time(() =>
      readOutcome(answer, (body) => session.openAnswer(request.kind, counter, body)),
    );
  } catch (error) {
    if (error instanceof PeerUnreachableError && error.isLate) return { kind: 'late' };
    if (error instanceof PeerUnreachableError || error instanceof FrameError) {
      return { kind: 'lost', reason: 'unreachable' };
    }
    throw error;
  }
}

/** What is sent of a message: its frame, and limits of the answer with what frames add. */
type Sent = Pick<ExchangeRequest, 'timeoutMs' | 'answerBytes'> & { readonly frame: Uint8Array };

/**
 * Small messages go over the stream. Large ones are posted over connections of their own, so that consensus does not wait
 * behind a block; and those with headers, which a stream does not have.
 * @throws PeerUnreachableError
 */
function carry(
  { client, streams }: PeerConnection,
  session: Session,
  { request, limits, sent }: { request: ExchangeRequest; limits: PeerLimits; sent: Sent },
): Promise<PeerAnswer> {
  const { kind, headers } = request;
  const isSmall = Math.max(sent.frame.length, sent.answerBytes) <= limits.streamBytes;
  const stream = isSmall && headers === undefined ? streams.of(session) : undefined;
  if (stream !== undefined) return stream.post({ kind, ...sent });
  const { frame: body, ...rest } = sent;
  return client.post({
    path: PATHS[kind],
    headers: { ...headers, [SESSION_HEADER]: session.id },
    body,
    ...rest,
  });
}

function readOutcome(
  { status, body }: PeerAnswer,
  open: (body: Uint8Array) => Uint8Array,
): ExchangeOutcome | 'unknown session' {
  switch (status) {
    case STATUS.done:
      return { kind: 'answered', answer: open(body) };
    case STATUS.unknownSession:
      return 'unknown session';
    case STATUS.busy:
      return { kind: 'busy' };
    default:
      return { kind: 'lost', reason: 'refused' };
  }
}
