import { BodyTooLongError, NoRoomError } from './http/read-body.js';
import { InvalidPublicKeyError } from './keys/key-pair.js';
import { UnknownKeyError } from './keys/key-ring.js';
import { ManagerError } from './manager-error.js';
import { PeerUnreachableError } from './party/peer-client.js';
import { MalformedPayloadError } from './payload/encoded-payload.js';

/** What a client or peer may be told of, told apart by `code`. Anything else is a fault of ours. */
export type ManagerFault =
  | BodyTooLongError
  | InvalidPublicKeyError
  | MalformedPayloadError
  | ManagerError
  | NoRoomError
  | PeerUnreachableError
  | UnknownKeyError;

const FAULTS = [
  ...[BodyTooLongError, InvalidPublicKeyError, MalformedPayloadError, ManagerError],
  ...[NoRoomError, PeerUnreachableError, UnknownKeyError],
];

export function isManagerFault(error: unknown): error is ManagerFault {
  return FAULTS.some((one) => error instanceof one);
}
