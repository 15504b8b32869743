import type { TraceParent } from '@tetrad/types';
import type { Endpoint } from '../identity/enode.js';
import type { SessionId } from '../session/session.js';

/** An answer: a status and, on success, bytes that the peer can authenticate. */
export interface ServerAnswer {
  readonly status: number;
  readonly body?: Uint8Array;
}

/** What is known of a frame before it is opened. */
export interface FrameOrigin {
  readonly session: SessionId;
  readonly remote: Endpoint;
  /** The trace of what the frame carries, as its sender says. */
  readonly trace?: TraceParent | undefined;
}
