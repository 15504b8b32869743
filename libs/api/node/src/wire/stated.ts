import { dataCodec } from '@tetrad/rpc';
import { z } from 'zod';

/** What a party has signed of a block, with what belongs to it. */
export const statedCodec = z.object({
  /** Signed, 298 bytes. */
  statement: dataCodec,
  /** Transactions with their digests, once it was told. */
  list: dataCodec.optional(),
  /** Of the first transaction that differs, once it was told. */
  outcome: dataCodec.optional(),
  /** Signed: by which rules the party says that it executes, where it has said so. */
  rules: dataCodec.optional(),
  /** A statement of the same party about the same block that this one contradicts or replaces. */
  before: dataCodec.optional(),
});
