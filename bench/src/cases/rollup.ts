import { z } from 'zod';
import { measureBy } from '../measure-by.js';
import { median, type BenchResult } from '../report/result.js';

const PROGRAM = 'libs/rollup/sequencer/dist/testing/measure-rollup.js';

const rates = z.array(z.number());
/** Operations in a second, of each run. */
const figuresSchema = z.object({
  cores: z.number(),
  verified: rates,
  transfers: rates,
  checks: rates,
  orders: rates,
  few: rates,
  many: rates,
  memory: z.number(),
});

/** The acceptance rate of an operator against the checks alone, on one thread; its execution rate with many accounts against few. */
export async function rollup(): Promise<BenchResult> {
  const figures = figuresSchema.parse(await measureBy(PROGRAM));
  const { verified, transfers, checks, orders, few, many } = figures;
  const accepted = (what: string, ours: number, peer: number, peerName: string) => ({
    what,
    unit: '/s',
    ours,
    peer,
    peerName,
    ratio: ours / peer,
    target: { bound: 0.5, side: 'atLeast' } as const,
  });
  return {
    name: 'rollup',
    comparisons: [
      accepted('accepted outbound transfers', median(transfers), median(verified), 'signature checks'),
      accepted(
        'accepted money orders',
        median(orders),
        median(checks),
        'signature, hash and ciphertext checks',
      ),
      {
        what: 'executed with 1,000,000 accounts',
        unit: '/s',
        ours: median(many),
        peer: median(few),
        peerName: 'with 1,000',
        ratio: median(many) / median(few),
        target: { bound: 1 / 1.5, side: 'atLeast' },
      },
    ],
    figures: [
      {
        what: 'money orders accepted, of signature checks',
        value: (median(orders) / median(verified)).toFixed(2),
      },
      {
        what: 'memory of the operator and the load generator',
        value: `${(figures.memory / 2 ** 20).toFixed(0)} MB`,
      },
      { what: 'cores', value: String(figures.cores) },
    ],
  };
}
