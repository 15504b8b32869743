import { isContentId } from './content-id.js';
import { recognizeEthEnvelope, type EthEnvelope } from './eth-envelope.js';
import { decodeEthPayload } from './eth-payload.js';
import { decodeCoinMessage } from './message-codec.js';
import { CoinMessageError } from './message-error.js';

/** What bytes are that would move coins once signed. */
export type ChainBytes = 'message' | 'delegated-message' | 'message-cid' | EthEnvelope;

/**
 * Recognizes bytes that a signer should not sign blindly: the CBOR of a message, the Ethereum transaction of a delegated
 * sender in any of its envelopes and anything else such a key could sign for Ethereum, or a content id, which other
 * senders sign. Undefined for everything else.
 */
export function recognizeChainMessage(bytes: Uint8Array): ChainBytes | undefined {
  if (isContentId(bytes)) return 'message-cid';
  if (decodeEthPayload(bytes) !== undefined) return 'delegated-message';
  return isMessage(bytes) ? 'message' : recognizeEthEnvelope(bytes);
}

/** The head of a CBOR array of ten. Most data differs from a message in it, and is recognized without a decoding error. */
const MESSAGE_HEAD = 0x8a;

function isMessage(bytes: Uint8Array): boolean {
  if (bytes[0] !== MESSAGE_HEAD) return false;
  try {
    decodeCoinMessage(bytes);
    return true;
  } catch (error) {
    if (error instanceof CoinMessageError) return false;
    throw error;
  }
}
