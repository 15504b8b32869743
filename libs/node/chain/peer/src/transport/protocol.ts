import type { FrameKind } from '../session/frame.js';

/** Paths of the peer port. Another version of the protocol has other paths, so that both can be served. */
export const PATHS = {
  hello: '/p2p/v1/hello',
  prove: '/p2p/v1/prove',
  push: '/p2p/v1/push',
  request: '/p2p/v1/request',
} as const;

/** Where a connection becomes a stream of messages, and how the request for it names that protocol. */
export const STREAM = {
  path: '/p2p/v1/stream',
  protocol: 'tetrad-p2p',
  openingHeader: 'tetrad-opening',
} as const;

export type HandshakeStep = 'hello' | 'prove';
/** Frames that carry messages, posted or on a stream. */
export type PostedKind = Exclude<FrameKind, 'welcome' | 'stream'>;

/** Names the session of a frame, so that its owner is known before the body is read. */
export const SESSION_HEADER = 'tetrad-session';

/** What the status of an answer says to a peer. */
export const STATUS = {
  done: 200,
  malformed: 400,
  unknownSession: 401,
  refused: 403,
  notFound: 404,
  lengthRequired: 411,
  tooLarge: 413,
  busy: 429,
} as const;
