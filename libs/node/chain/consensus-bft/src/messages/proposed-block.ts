import { InvalidBlockError, decodeHeader } from '@tetrad/node-block';
import { bftRules } from '../bft-rules.js';
import { hashHeader } from '../block-hash.js';
import { decodeIbftExtraData } from '../ibft-extra-data.js';
import { decodeQbftExtraData } from '../qbft-extra-data.js';
import { copyOf, type RlpFields } from '@tetrad/rlp';
import type { BlockHeader } from '@tetrad/types';
import type { ProposedBlock } from './consensus-message.js';
import { MessageError, messageFields } from './message-fields.js';

/** The header formats that the one state machine serves. */
export type HeaderFormat = 'qbft' | 'ibft';

/** Ommers and, from Shanghai on, withdrawals. */
const MAX_MORE_PARTS = 2;

/**
 * Decodes the header of an encoded block, and not its transactions.
 *
 * Layout: RLP([header, [transaction…], [], [] from Shanghai on])
 *
 * @throws MessageError when it is not a block of the format, or carries seals or a round of its own
 */
export function readProposedBlock(fields: RlpFields, format: HeaderFormat): ProposedBlock {
  const headerFields = fields.list('header');
  fields.list('transactions');
  fields.repeated(MAX_MORE_PARTS, () => fields.skip('part'));
  const encoded = copyOf(fields.encoded);
  try {
    const header = decodeHeader(headerFields.encoded);
    assertBare(header, format);
    return { hash: hashHeader(header), header, author: bftRules(format).proposerOf(header), encoded };
  } catch (error) {
    if (error instanceof InvalidBlockError) throw new MessageError(`block: ${error.message}`);
    throw error;
  }
}

/**
 * Reads a block that a peer or this node's own builder encoded.
 * @throws MessageError
 */
export function decodeProposedBlock(bytes: Uint8Array, format: HeaderFormat): ProposedBlock {
  return readProposedBlock(messageFields(bytes, 'block'), format);
}

/** Committed seals and the round are left out of a hash, so a proposal must have none: one hash, one block. */
function assertBare(header: BlockHeader, format: HeaderFormat): void {
  if (format === 'ibft') {
    const { committedSeals } = decodeIbftExtraData(header.extraData);
    if (committedSeals.length > 0) throw new MessageError('block: committed seals in a proposal');
    return;
  }
  const { committedSeals, round } = decodeQbftExtraData(header.extraData);
  if (committedSeals.length > 0 || round !== 0)
    throw new MessageError('block: committed seals or a round in a proposal');
}
