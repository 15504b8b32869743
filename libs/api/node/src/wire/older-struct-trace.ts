import { z } from 'zod';
import { integerCodec } from './integer.js';

/** One instruction as geth 1.10 and GoQuorum write it: words of 64 digits, without `0x`. */
const wireStep = z.object({
  pc: z.int().nonnegative(),
  op: z.string(),
  gas: z.int().nonnegative(),
  gasCost: z.int().nonnegative(),
  depth: z.int().positive(),
  /** Without a text: it says only that the instruction was refused. */
  error: z.strictObject({}).optional(),
  stack: z.array(z.string()).readonly().optional(),
  memory: z.array(z.string()).readonly().optional(),
  storage: z.record(z.string(), z.string()).readonly().optional(),
});

const wireTrace = z.object({
  gas: integerCodec,
  failed: z.boolean(),
  /** Without `0x`. */
  returnValue: z.string().regex(/^(?:[0-9a-f]{2})*$/),
  structLogs: z.array(wireStep).readonly(),
});

/** A step of the record; its words have `0x` on the stack alone. */
interface OlderStep extends Omit<z.output<typeof wireStep>, 'error'> {
  readonly error?: string | undefined;
}

/** An execution, instruction by instruction, that is shown in the form of geth 1.10. */
export interface OlderStructTrace {
  readonly form: 'goquorum';
  readonly gas: bigint;
  readonly failed: boolean;
  readonly returnValue: Uint8Array;
  readonly structLogs: readonly OlderStep[];
}

function isOlder(value: unknown): value is OlderStructTrace {
  return typeof value === 'object' && value !== null && 'form' in value && value.form === 'goquorum';
}

/** The trace of an execution in the form of geth 1.10 and GoQuorum. */
export const olderStructTraceCodec = z.codec(wireTrace, z.custom<OlderStructTrace>(isOlder), {
  decode: ({ returnValue, structLogs, ...trace }) => ({
    ...{ form: 'goquorum' as const, ...trace },
    returnValue: Uint8Array.from(Buffer.from(returnValue, 'hex')),
    structLogs: structLogs.map(({ error, stack, ...step }) => ({
      ...step,
      ...(error === undefined ? {} : { error: 'refused' }),
      ...(stack === undefined ? {} : { stack: stack.map((word) => `0x${BigInt(`0x${word}`).toString(16)}`) }),
    })),
  }),
  encode: ({ gas, failed, returnValue, structLogs }) => ({
    ...{ gas, failed, structLogs: structLogs.map(showStep) },
    returnValue: Buffer.from(returnValue).toString('hex'),
  }),
});

function showStep({ error, stack, ...step }: OlderStep): z.output<typeof wireStep> {
  const { pc, op, gas, gasCost, depth, memory, storage } = step;
  return {
    ...{ pc, op, gas, gasCost, depth },
    ...(error === undefined ? {} : { error: {} }),
    ...(stack === undefined ? {} : { stack: stack.map((word) => word.slice(2).padStart(64, '0')) }),
    ...(memory === undefined ? {} : { memory }),
    ...(storage === undefined ? {} : { storage }),
  };
}
