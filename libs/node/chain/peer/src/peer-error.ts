import type { EnodeError } from './identity/enode.js';
import type { FrameError } from './session/frame.js';
import type { HandshakeError } from './session/dial.js';
import type { SyncFault } from './sync/block-download.js';
import type { PeerUnreachableError } from './transport/peer-client.js';
import type { BodyError } from './transport/read-body.js';
import type { WireError } from './wire/wire-fields.js';

/** Errors between peers, distinguished by `code`. */
export type PeerError =
  BodyError | EnodeError | FrameError | HandshakeError | PeerUnreachableError | SyncFault | WireError;
