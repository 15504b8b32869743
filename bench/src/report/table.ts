import { holds, type BenchResult, type Comparison } from './result.js';

/** The result as text: a line a comparison with its verdict, then the figures. */
export function formatTable({ name, comparisons, figures }: BenchResult): string {
  const rows = comparisons.map(toRow);
  const header = ['', 'ours', 'peer', 'peer is', 'ratio', 'target', ''];
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] as string).length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] as number))
      .join('  ')
      .trimEnd();
  const table = [line(header), ...rows.map(line)];
  const notes = figures.map(({ what, value }) => `  ${what}: ${value}`);
  return [`bench ${name}`, ...table.map((text) => `  ${text}`), ...notes].join('\n');
}

function toRow(comparison: Comparison): string[] {
  const { what, unit, ours, peer, peerName, ratio, target } = comparison;
  const sign = target.side === 'atLeast' ? '≥' : '≤';
  const verdict = holds(comparison) ? 'holds' : 'MISSED';
  return [
    what,
    `${show(ours)} ${unit}`,
    `${show(peer)} ${unit}`,
    peerName,
    ratio.toFixed(3),
    `${sign} ${target.bound}`,
    verdict,
  ];
}

function show(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
