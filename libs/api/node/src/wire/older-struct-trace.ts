import { z } from 'zod';
import { integerCodec } from './integer.js';

const WORD = /^[0-9a-f]{64}$/;

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

type WireStep = z.output<typeof wireStep>;

/** A step of the record: the words of its stack are quantities. */
interface OlderStep extends Omit<WireStep, 'error'> {
  readonly error?: string | undefined;
}

const stepCodec = z.codec(
  wireStep,
  z.custom<OlderStep>((value) => typeof value === 'object' && value !== null),
  {
    decode: (step, context) => {
      // Here and not in the schema, which answers pass too: they have hundreds of thousands of words.
      if (step.stack?.every((word) => WORD.test(word)) === false) {
        context.issues.push({
          code: 'custom',
          input: step,
          path: ['stack'],
          message: 'must be words of 64 digits',
        });
        return z.NEVER;
      }
      return readStep(step);
    },
    encode: writeStep,
  },
);

function readStep({ error, stack, ...step }: WireStep): OlderStep {
  return {
    ...step,
    ...(error === undefined ? {} : { error: 'refused' }),
    ...(stack === undefined ? {} : { stack: stack.map((word) => `0x${BigInt(`0x${word}`).toString(16)}`) }),
  };
}

function writeStep({ pc, op, gas, gasCost, depth, error, stack, memory, storage }: OlderStep): WireStep {
  return {
    pc,
    op,
    gas,
    gasCost,
    depth,
    ...(error === undefined ? {} : { error: {} }),
    ...(stack === undefined ? {} : { stack: stack.map((word) => word.slice(2).padStart(64, '0')) }),
    ...(memory === undefined ? {} : { memory }),
    ...(storage === undefined ? {} : { storage }),
  };
}

/** The trace of an execution in the form of geth 1.10 and GoQuorum. */
export const olderStructTraceCodec = z.object({
  gas: integerCodec,
  failed: z.boolean(),
  /** Without `0x`, inside too: by that the form is known. */
  returnValue: z.string().regex(/^(?:[0-9a-f]{2})*$/),
  structLogs: z.array(stepCodec).readonly(),
});
