import { z } from 'zod';

/** Bytes as JavaScript writes a typed array: index → byte. */
const indexedBytesCodec = z.codec(z.record(z.string(), z.int().min(0).max(255)), z.instanceof(Uint8Array), {
  decode: (bytes) => Uint8Array.from(Object.values(bytes)),
  encode: (bytes) => Object.fromEntries(Object.entries(bytes)),
});

const stepWithoutCall = z.strictObject({
  /** Number of the opcode, or a name. */
  op: z.union([z.int().min(0).max(255), z.string()]),
  depth: z.int().positive(),
  /** Words in hex without 0x. */
  result: z.array(z.string()),
  pc: z.int().nonnegative().optional(),
  len: z.int().positive().optional(),
  gas: z.number().optional(),
  to: z.string().optional(),
  value: z.string().optional(),
  input: indexedBytesCodec.optional(),
  error: z.string().nullish(),
  return: indexedBytesCodec.nullish(),
});

/** An opcode, and those of the call that it began. Spelt out, because a recursive type cannot be inferred. */
interface EvmdisStep extends z.output<typeof stepWithoutCall> {
  ops?: EvmdisStep[] | undefined;
}

/** The same on the wire. */
interface WireEvmdisStep extends z.input<typeof stepWithoutCall> {
  ops?: WireEvmdisStep[] | undefined;
}

/** An opcode as GoQuorum's `evmdisTracer` gives it. */
export const evmdisStepCodec: z.ZodType<EvmdisStep, WireEvmdisStep> = stepWithoutCall.extend({
  get ops() {
    return z.array(evmdisStepCodec).optional();
  },
});
