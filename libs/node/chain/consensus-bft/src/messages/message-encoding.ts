import { EMPTY_LIST, rlpBytes, rlpList } from '@tetrad/rlp';
import type { ConsensusMessage, SignedPrepare, SignedRoundChange } from './consensus-message.js';
import {
  MESSAGE_CODES,
  commitPayload,
  preparePayload,
  proposalPayload,
  roundChangePayload,
} from './message-signing.js';

/**
 * A message in its wire form. Layout: code (1) ‖ RLP body, the body by code:
 *
 * 0x12 PRE-PREPARE   [[[sequence, round, block], signature], [[round change…], [prepare…]]]
 * 0x13 PREPARE       [[sequence, round, digest], signature]
 * 0x14 COMMIT        [[sequence, round, digest, seal], signature]
 * 0x15 ROUND-CHANGE  [[[sequence, round, prepared], signature], prepared block or [], [prepare…]]
 * 0x16 SEAL          [[sequence, round, digest, seal], signature]
 *
 * where a round change inside a PRE-PREPARE is [[sequence, round, prepared], signature].
 * Source: docs/spec/bft.md#messages; 0x16 is ours
 */
export function encodeMessage(message: ConsensusMessage): Uint8Array {
  return Buffer.concat([Uint8Array.of(MESSAGE_CODES[message.kind]), encodeBody(message)]);
}

/** The body alone, which is what QBFT sends under its own code. */
export function encodeBody(message: ConsensusMessage): Uint8Array {
  switch (message.kind) {
    case 'prepare':
      return encodePrepare(message);
    case 'commit':
    case 'seal':
      return signed(commitPayload(message), message.signature);
    case 'roundChange':
      return rlpList([
        encodeRoundChangePayload(message),
        message.block?.encoded ?? EMPTY_LIST,
        rlpList(message.prepares.map(encodePrepare)),
      ]);
    case 'proposal':
      return rlpList([
        signed(proposalPayload(message, message.block.encoded), message.signature),
        rlpList([
          rlpList(message.roundChanges.map(encodeRoundChangePayload)),
          rlpList(message.prepares.map(encodePrepare)),
        ]),
      ]);
  }
}

export function encodePrepare(prepare: SignedPrepare): Uint8Array {
  return signed(preparePayload(prepare), prepare.signature);
}

function encodeRoundChangePayload(roundChange: SignedRoundChange): Uint8Array {
  return signed(roundChangePayload(roundChange), roundChange.signature);
}

function signed(payload: Uint8Array, signature: Uint8Array): Uint8Array {
  return rlpList([payload, rlpBytes(signature)]);
}
