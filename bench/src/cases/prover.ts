import { z } from 'zod';
import { measureBy } from '../measure-by.js';
import { median, type BenchResult } from '../report/result.js';

const PROGRAM = 'libs/rollup/state/dist/testing/measure-prover.js';

const figuresSchema = z.object({
  size: z.number(),
  gates: z.number(),
  cores: z.number(),
  /** ms of each run. */
  ours: z.array(z.number()),
  alone: z.array(z.number()),
  execution: z.array(z.number()),
  verification: z.number(),
  /** Operations in a second by one prover of one thread, and by two. */
  one: z.number(),
  two: z.number(),
  hashes: z.number(),
  verifications: z.number(),
});

/** Proving a batch, witness and all, against `bb prove` of the same circuit, key and witness. */
export async function prover(): Promise<BenchResult> {
  const figures = figuresSchema.parse(await measureBy(PROGRAM));
  const [ours, peer] = [median(figures.ours), median(figures.alone)];
  return {
    name: 'prover',
    comparisons: [
      {
        what: `a batch of ${figures.size}`,
        unit: 'ms',
        ours,
        peer,
        peerName: 'bb prove alone',
        ratio: ours / peer,
        target: { bound: 1.15, side: 'atMost' },
      },
    ],
    figures: [
      { what: 'gates of the circuit', value: String(figures.gates) },
      { what: 'circuit execution', value: `${median(figures.execution).toFixed(0)} ms` },
      { what: 'proof verification', value: `${figures.verification.toFixed(1)} ms` },
      { what: 'one prover of one thread', value: `${figures.one.toFixed(2)} operations/s` },
      { what: `two provers, on ${figures.cores} cores`, value: `${figures.two.toFixed(2)} operations/s` },
      { what: 'two provers against one', value: (figures.two / figures.one).toFixed(2) },
      { what: 'Poseidon2 hashes of two words', value: `${figures.hashes.toFixed(0)}/s` },
      { what: 'signature checks', value: `${figures.verifications.toFixed(0)}/s` },
    ],
  };
}
