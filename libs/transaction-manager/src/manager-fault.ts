import { BodyTooLongError, NoRoomError } from './http/read-body.js';
import { InvalidPublicKeyError } from './keys/key-pair.js';
import { UnknownKeyError } from './keys/key-ring.js';
import { ManagerError } from './manager-error.js';
import { PeerUnreachableError } from './party/peer-client.js';
import { MalformedPayloadError } from './payload/encoded-payload.js';

/** Errors that a client or peer may see, distinguished by `code`. Any other error is an internal fault. */
export type ManagerFault =
  | BodyTooLongError
  | InvalidPublicKeyError
  | MalformedPayloadError
  | ManagerError
  | NoRoomError
  | PeerUnreachableError
  | UnknownKeyError;

const FAULTS = [
  BodyTooLongError,
  InvalidPublicKeyError,
  MalformedPayloadError,
  ManagerError,
  NoRoomError,
  PeerUnreachableError,
  UnknownKeyError,
];

export function isManagerFault(error: unknown): error is ManagerFault {
  return FAULTS.some((one) => error instanceof one);
}
