import { addressCodec, dataCodec, hashCodec, indexCodec, quantityCodec } from '@tetrad/rpc';
import { z } from 'zod';
import { blockOverridesCodec } from './block-overrides.js';
import { evmdisStepCodec } from './evmdis-trace.js';
import { integerCodec } from './integer.js';
import { olderStructTraceCodec } from './older-struct-trace.js';
import { stateOverridesCodec } from './state-overrides.js';
import {
  opcodeCountsSchema,
  prestateCodec,
  selectorCountsSchema,
  stateDifferenceCodec,
} from './state-trace.js';

const TRACERS = [
  'callTracer',
  'prestateTracer',
  '4byteTracer',
  'noopTracer',
  // Of GoQuorum.
  'opcountTracer',
  'unigramTracer',
  'bigramTracer',
  'trigramTracer',
  'evmdisTracer',
] as const;
const NO_TRACER = `must be one of ${TRACERS.join(', ')}; tracers in JavaScript are not run (docs/reference/tracers.md)`;

/** What to record of an execution. */
export const traceOptionsSchema = z.object({
  /** Absent for the record of every instruction. */
  tracer: z.enum(TRACERS, NO_TRACER).nullish(),
  tracerConfig: z
    .object({
      /** Of callTracer. */
      onlyTopCall: z.boolean().nullish(),
      /** Of callTracer. */
      withLog: z.boolean().nullish(),
      /** Of prestateTracer. */
      diffMode: z.boolean().nullish(),
    })
    .nullish(),
  disableStack: z.boolean().nullish(),
  disableStorage: z.boolean().nullish(),
  /** In GoQuorum's form, which has memory otherwise. */
  disableMemory: z.boolean().nullish(),
  enableMemory: z.boolean().nullish(),
  enableReturnData: z.boolean().nullish(),
  /** Steps recorded at most; 0 or absent for the limit of the node. */
  limit: z.int().nonnegative().nullish(),
  timeout: z.string().nullish(),
});

export type TraceOptions = z.output<typeof traceOptionsSchema>;

/** What to record of a call, and its overrides. */
export const callTraceOptionsSchema = traceOptionsSchema.extend({
  stateOverrides: stateOverridesCodec.nullish(),
  blockOverrides: blockOverridesCodec.nullish(),
  /** Runs after so many transactions of the block instead of after all of them. */
  txIndex: indexCodec.nullish(),
});

export type CallTraceOptions = z.output<typeof callTraceOptionsSchema>;

const wireWord = z.string().regex(/^0x[0-9a-f]{64}$/);

/** 32 bytes: `0x` and 64 digits on the wire, bare digits inside. */
const wordCodec = z.codec(wireWord, z.string().regex(/^[0-9a-f]{64}$/), {
  decode: (text) => text.slice(2),
  encode: (digits) => `0x${digits}`,
});

/**
 * Memory in words: `0x` and 64 digits each on the wire, bare digits inside. Looked at as a whole: an answer may have hundreds of
 * thousands of words, and a codec for each would hold the process for a second.
 */
const memoryCodec = z.codec(
  z.array(wireWord).readonly(),
  z.custom<readonly string[]>((value) => Array.isArray(value)),
  {
    decode: (words) => words.map((word) => word.slice(2)),
    encode: (words) => words.map((digits) => `0x${digits}`),
  },
);

/** Slot → value, with `0x` on the wire and without inside. */
const slotsCodec = z.codec(
  z.record(z.string(), wordCodec),
  z.custom<Readonly<Record<string, string>>>((value) => typeof value === 'object' && value !== null),
  {
    decode: (slots) => mapKeys(slots, (key) => key.slice(2)),
    encode: (slots) => mapKeys(slots, (key) => `0x${key}`),
  },
);

function mapKeys(
  record: Readonly<Record<string, string>>,
  change: (key: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [change(key), value]));
}

/** One instruction; words of the stack are quantities. */
const structLogSchema = z.object({
  pc: z.int().nonnegative(),
  op: z.string(),
  gas: z.int().nonnegative(),
  gasCost: z.int().nonnegative(),
  depth: z.int().positive(),
  error: z.string().optional(),
  stack: z.array(z.string()).readonly().optional(),
  memory: memoryCodec.optional(),
  storage: slotsCodec.optional(),
  refund: z.int().optional(),
  returnData: dataCodec.optional(),
});

/** An execution, instruction by instruction. */
const structTraceCodec = z.object({
  gas: integerCodec,
  failed: z.boolean(),
  returnValue: dataCodec,
  structLogs: z.array(structLogSchema).readonly(),
});

export type StructTrace = z.output<typeof structTraceCodec>;

const frameLogCodec = z.object({
  address: addressCodec,
  topics: z.array(hashCodec),
  data: dataCodec,
  position: indexCodec.optional(),
});

const frameWithoutCalls = z.object({
  type: z.string(),
  from: addressCodec,
  to: addressCodec.optional(),
  value: quantityCodec.optional(),
  gas: quantityCodec,
  gasUsed: quantityCodec,
  input: dataCodec,
  output: dataCodec.optional(),
  error: z.string().optional(),
  revertReason: z.string().optional(),
  logs: z.array(frameLogCodec).optional(),
});

/** A call with the calls it made in turn. Spelt out, because a recursive type cannot be inferred into a declaration. */
export interface CallFrame extends z.output<typeof frameWithoutCalls> {
  calls?: CallFrame[] | undefined;
}

/** The same on the wire. */
export interface WireFrame extends z.input<typeof frameWithoutCalls> {
  calls?: WireFrame[] | undefined;
}

/** A tree of calls, as `callTracer` gives it. */
const callFrameCodec: z.ZodType<CallFrame, WireFrame> = frameWithoutCalls.extend({
  get calls() {
    return z.array(callFrameCodec).optional();
  },
});

/** What a tracer gives for one execution. */
export const traceCodec = z.union([
  olderStructTraceCodec,
  structTraceCodec,
  callFrameCodec,
  stateDifferenceCodec,
  prestateCodec,
  // Also the empty object of noopTracer.
  selectorCountsSchema,
  opcodeCountsSchema,
  // Of opcountTracer.
  z.int().nonnegative(),
  z.array(evmdisStepCodec).readonly(),
]);

/** One execution of a block with its trace. */
export const blockTraceCodec = z.array(z.object({ txHash: hashCodec, result: traceCodec }));
