import { z } from 'zod';
import { measureBy } from '../measure-by.js';
import { median, type BenchResult, type Comparison } from '../report/result.js';

const PROGRAM = 'libs/rollup/state/dist/testing/measure-sizes.js';
const ROUNDS = 3;
/** The first is what the others are compared with. */
const SIZES = '2,8,32';
const MEGABYTE = 2 ** 20;

const figuresSchema = z.array(
  z.object({
    size: z.number(),
    gates: z.number(),
    points: z.number(),
    proofs: z.array(z.number()),
    witnesses: z.array(z.number()),
    key: z.number(),
    memory: z.number(),
  }),
);

type SizeFigures = z.output<typeof figuresSchema>[number];

const eachOf = ({ proofs, size }: SizeFigures) => median(proofs) / size;

/** CPU of a proof by size of the batch, with points of a known secret: nothing that they prove is believed. */
export async function batchSizes(): Promise<BenchResult> {
  const sizes = (process.env['TETRAD_BENCH_SIZES'] ?? SIZES).split(',');
  const [smallest, ...larger] = figuresSchema.parse(await measureBy(PROGRAM, [String(ROUNDS), ...sizes]));
  if (smallest === undefined) throw new Error('no size was measured');
  return {
    name: 'batch-sizes',
    comparisons: larger.map((one): Comparison => ({
      what: `an operation in a batch of ${one.size}`,
      unit: 's of CPU',
      ours: eachOf(one),
      peer: eachOf(smallest),
      peerName: `in a batch of ${smallest.size}`,
      ratio: eachOf(one) / eachOf(smallest),
      target: { bound: 1, side: 'atMost' },
    })),
    figures: [smallest, ...larger].map((one) => ({
      what: `a batch of ${one.size}`,
      value: [
        `${median(one.proofs).toFixed(2)} s of CPU`,
        `${median(one.witnesses).toFixed(2)} s of it for the witness`,
        `${(one.memory / MEGABYTE).toFixed(0)} MB`,
        `${one.gates} gates`,
        `${one.points} points`,
        `${one.key.toFixed(2)} s for the key`,
      ].join(', '),
    })),
  };
}
