import { z } from 'zod';

/** What an opcode did. */
export interface VmEffect {
  /** What it left in memory, as hex; null for an opcode that writes none. */
  mem: { readonly data: string; readonly off: number } | null;
  /** Words that it left on the stack, the top last. */
  push: readonly string[];
  /** What it wrote to storage. */
  readonly store: { readonly key: string; readonly val: string } | null;
  /** Gas left after it. */
  used: number;
}

/** One executed opcode. */
export interface VmOperation {
  /** With gas that it forwarded. */
  cost: number;
  /** Null for an opcode that failed. */
  ex: VmEffect | null;
  readonly pc: number;
  /** The execution of the call that it made. */
  sub: VmTrace | null;
  readonly op: string;
  /** Index of the transaction, and of the opcode in each call down to its own: `0-12-3`. */
  readonly idx: string;
}

/** The opcodes of a call; none where it had no code. */
export interface VmTrace {
  readonly code: string;
  readonly ops: VmOperation[];
}

/**
 * Opcodes in the form of OpenEthereum, with `op` and `idx` of Erigon. Recorded as they are on the wire and looked at as a whole: an answer may have a
 * hundred thousand of them, and calls that are a thousand deep.
 */
export const vmTraceCodec = z.codec(
  z.object({ code: z.string(), ops: z.array(z.unknown()) }),
  z.custom<VmTrace>((value) => typeof value === 'object' && value !== null),
  {
    decode: ({ code, ops }): VmTrace => ({ code, ops: ops as VmOperation[] }),
    encode: ({ code, ops }) => ({ code, ops }),
  },
);
