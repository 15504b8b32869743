/** One measured pair: ours against its peer or limit, from the same run. */
export interface Comparison {
  readonly what: string;
  readonly unit: string;
  readonly ours: number;
  readonly peer: number;
  readonly peerName: string;
  readonly ratio: number;
  /** The bound of the ratio, and on which side of it the target lies. */
  readonly target: { readonly bound: number; readonly side: 'atLeast' | 'atMost' };
}

/** A figure that is reported without a target. */
export interface Figure {
  readonly what: string;
  readonly value: string;
}

export interface BenchResult {
  readonly name: string;
  readonly comparisons: readonly Comparison[];
  readonly figures: readonly Figure[];
}

export function holds({ ratio, target }: Comparison): boolean {
  return target.side === 'atLeast' ? ratio >= target.bound : ratio <= target.bound;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
