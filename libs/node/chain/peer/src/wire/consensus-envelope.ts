import { encodeRlp } from '@tetrad/rlp';
import { bytesFromScalar } from '@tetrad/types';
import { wireFields } from './wire-fields.js';

/** A message of the consensus engine in transit. */
export interface ConsensusEnvelope {
  /** Whether its sender could not reach every validator, so that nodes that accept it relay it. */
  readonly relay: boolean;
  /** Opaque here; the engine reads it. */
  readonly message: Uint8Array;
}

/** Layout: RLP([relay (0 or 1), message (bytes)]). */
export function encodeConsensusEnvelope({ relay, message }: ConsensusEnvelope): Uint8Array {
  return encodeRlp([bytesFromScalar(relay ? 1 : 0), message]);
}

/** @throws WireError */
export function decodeConsensusEnvelope(bytes: Uint8Array): ConsensusEnvelope {
  const fields = wireFields(bytes, 'consensus');
  const relay = fields.count('relay', 1) === 1;
  const message = fields.bytes('message', bytes.length);
  fields.end();
  return { relay, message };
}
