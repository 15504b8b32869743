import { hashCodec, indexCodec } from '@tetrad/rpc';
import { parseHash, type Hash } from '@tetrad/types';
import { z } from 'zod';
import { integerOf } from './integer.js';

/** `safe` and `finalized` are the head under BFT consensus: a block is final once it is committed. */
export type BlockTag = 'latest' | 'earliest' | 'pending' | 'safe' | 'finalized';

/** A height, or a block by its role. */
export type BlockNumberOrTag = number | BlockTag;

/** A block by height, by role, or by hash (EIP-1898). */
export type BlockReference =
  BlockNumberOrTag | { readonly blockHash: Hash; readonly requireCanonical?: boolean | undefined };

export const blockTagSchema = z.enum(['latest', 'earliest', 'pending', 'safe', 'finalized']);

/** Hex height or tag, as the Ethereum execution API writes it. */
export const blockNumberOrTagCodec = z.union([blockTagSchema, indexCodec], {
  error: 'must be a block number in hex, or latest, earliest, pending, safe or finalized',
});

const hashObject = z.object({ blockHash: hashCodec, requireCanonical: z.boolean().optional() });
const numberObject = z.object({ blockNumber: blockNumberOrTagCodec });

type WireReference =
  | z.output<typeof blockNumberOrTagCodec>
  | z.output<typeof hashObject>
  | z.output<typeof numberObject>
  | z.output<typeof hashCodec>;

/**
 * Any way to name a block: hex height, tag, bare block hash, `{blockHash, requireCanonical}` or
 * `{blockNumber}` (EIP-1898).
 */
export const blockReferenceCodec = z.codec(
  z.union([blockTagSchema, hashCodec, indexCodec, hashObject, numberObject], {
    error:
      'must be a block: a number in hex, a tag, a block hash, or an object with blockHash or blockNumber',
  }),
  z.custom<BlockReference>((value) => value !== undefined && value !== null),
  { decode: referenceFromWire, encode: (reference): WireReference => reference },
);

function referenceFromWire(wire: WireReference): BlockReference {
  if (typeof wire === 'string')
    return wire.startsWith('0x') ? { blockHash: parseHash(wire) } : (wire as BlockTag);
  if (typeof wire === 'number' || 'blockHash' in wire) return wire;
  return wire.blockNumber;
}

const heightText = z.codec(z.string().regex(/^(?:0x[0-9a-fA-F]{1,14}|[0-9]{1,16})$/), z.int().nonnegative(), {
  decode: (text) => Number(text),
  encode: (height) => `0x${height.toString(16)}`,
});

/**
 * Height as the methods of the interface document take it: a JSON integer, hex or decimal text, or a tag.
 * Encoded as hex, which the networks that users come from understand.
 */
export const lenientBlockNumberCodec = z.union([blockTagSchema, heightText, integerOf('block number')], {
  error: 'must be a block number (integer or hex), or latest, earliest, pending, safe or finalized',
});

/** As `lenientBlockNumberCodec`, without tags. */
export const lenientHeightCodec = z.union([heightText, integerOf('block number')], {
  error: 'must be a block number: an integer or hex text',
});

/** The block of a storage root or an account dump: anything that names a block. */
export const lenientBlockReferenceCodec = z.union([lenientBlockNumberCodec, blockReferenceCodec], {
  error: 'must be a block: an integer, a number in hex, a tag or a block hash',
});
