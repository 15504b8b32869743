import type { Histogram, Metrics } from '@tetrad/types';

const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Time of a block by phase, whether it is built, checked or imported. */
export class BlockPhases {
  private readonly histogram: Histogram;

  constructor(metrics: Metrics) {
    const help = 'Time a block takes, by phase';
    this.histogram = metrics.histogram('node_block_phase_seconds', help, ['phase'], BUCKETS);
  }

  took(phase: 'execution' | 'hashing' | 'storage', milliseconds: number): void {
    this.histogram.observe(milliseconds / 1000, { phase });
  }
}
