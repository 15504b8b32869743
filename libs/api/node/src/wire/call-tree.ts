import { addressCodec, dataCodec, quantityCodec } from '@tetrad/rpc';
import { z } from 'zod';

/** A call, creation or self-destruction with its depth, as Otterscan draws it. */
export const callTreeEntrySchema = z.object({
  /** The opcode: `CALL`, `CREATE2`, `SELFDESTRUCT`. */
  type: z.string(),
  depth: z.int().nonnegative(),
  from: addressCodec,
  to: addressCodec,
  /** Null for a call that cannot move wei. */
  value: quantityCodec.nullable(),
  input: dataCodec,
  output: dataCodec,
});

export type CallTreeEntry = z.output<typeof callTreeEntrySchema>;

/** A transfer (0), self-destruction (1), CREATE (2) or CREATE2 (3) that a contract made. */
export const internalOperationSchema = z.object({
  type: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  from: addressCodec,
  to: addressCodec,
  value: quantityCodec,
});

export type InternalOperation = z.output<typeof internalOperationSchema>;
