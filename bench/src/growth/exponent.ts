/** One point of a curve: what was measured at a size. */
export interface Point {
  readonly size: number;
  readonly cost: number;
}

/**
 * The exponent of the power of the size that the costs follow: the slope of their logarithms by least squares. 0 is a cost that
 * does not depend on the size, 1 one in proportion to it.
 * @param points - two different sizes at least, all costs above 0
 */
export function exponentOf(points: readonly Point[]): number {
  const logarithms = points.map(({ size, cost }) => [Math.log(size), Math.log(cost)] as const);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(logarithms.map(([size]) => size)), mean(logarithms.map(([, cost]) => cost))];
  const together = logarithms.reduce((sum, [size, cost]) => sum + (size - x) * (cost - y), 0);
  const alone = logarithms.reduce((sum, [size]) => sum + (size - x) ** 2, 0);
  return together / alone;
}
