import { hashCodec, indexCodec } from '@tetrad/rpc';
import { parseHash, type Hash } from '@tetrad/types';
import { z } from 'zod';
import { blockProblem, type BlockForms } from './block-problem.js';
import { integerOf } from './integer.js';

/** `safe` and `finalized` are the head under BFT consensus: a block is final once it is committed. */
export type BlockTag = 'latest' | 'earliest' | 'pending' | 'safe' | 'finalized';

/** A height, or a block by its role. */
export type BlockNumberOrTag = number | BlockTag;

/** A block by height, by role, or by hash (EIP-1898). */
export type BlockReference =
  BlockNumberOrTag | { readonly blockHash: Hash; readonly requireCanonical?: boolean | undefined };

const TAGS = ['latest', 'earliest', 'pending', 'safe', 'finalized'] as const;

/** Tags where a value may be something else too; the texts say what is wrong with it (`block-problem.ts`). */
function tagsBeside(forms: BlockForms) {
  return z.enum(TAGS, { error: ({ input }) => blockProblem(input, forms) });
}

const STRICT: BlockForms = { integers: false, hashes: false };
const ANY: BlockForms = { integers: false, hashes: true };

/** Hex height or tag, as the Ethereum execution API writes it. */
export const blockNumberOrTagCodec = z.union([tagsBeside(STRICT), indexCodec]);

/** One object for both forms of EIP-1898, so that a text can name the member that is wrong. */
const referenceObject = z
  .object({
    blockHash: hashCodec.optional(),
    blockNumber: blockNumberOrTagCodec.optional(),
    requireCanonical: z.boolean().optional(),
  })
  .refine(({ blockHash, blockNumber }) => (blockHash === undefined) !== (blockNumber === undefined), {
    message: 'must have either blockHash or blockNumber',
  });

type WireReference =
  z.output<typeof blockNumberOrTagCodec> | z.output<typeof referenceObject> | z.output<typeof hashCodec>;

/**
 * Any way to name a block: hex height, tag, bare block hash, `{blockHash, requireCanonical}` or
 * `{blockNumber}` (EIP-1898).
 */
export const blockReferenceCodec = z.codec(
  z.union([tagsBeside(ANY), hashCodec, indexCodec, referenceObject]),
  z.custom<BlockReference>((value) => value !== undefined && value !== null),
  { decode: referenceFromWire, encode: (reference): WireReference => reference },
);

function referenceFromWire(wire: WireReference): BlockReference {
  if (typeof wire === 'string')
    return wire.startsWith('0x') ? { blockHash: parseHash(wire) } : (wire as BlockTag);
  if (typeof wire === 'number') return wire;
  const { blockHash, blockNumber, requireCanonical } = wire;
  if (blockHash === undefined) return blockNumber ?? 'latest';
  return requireCanonical === undefined ? { blockHash } : { blockHash, requireCanonical };
}

const heightText = z.codec(z.string().regex(/^(?:0x[0-9a-fA-F]{1,14}|[0-9]{1,16})$/), z.int().nonnegative(), {
  decode: (text) => Number(text),
  encode: (height) => `0x${height.toString(16)}`,
});

/**
 * Height as the methods of the interface document take it: a JSON integer, hex or decimal text, or a tag.
 * Encoded as hex, which the networks that users come from understand.
 */
export const lenientBlockNumberCodec = z.union([
  tagsBeside({ integers: true, hashes: false }),
  heightText,
  integerOf('block number'),
]);

/** The block of a storage root or an account dump: anything that names a block. */
export const lenientBlockReferenceCodec = z.union([
  tagsBeside({ integers: true, hashes: true }),
  heightText,
  integerOf('block number'),
  blockReferenceCodec,
]);
