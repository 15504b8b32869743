import { holds, type BenchResult } from './result.js';

const WIDTH = 720;
const ROW = 56;
const LEFT = 260;

/** Bars of the ratios with a mark at each target, as an SVG picture. */
export function drawChart({ name, comparisons }: BenchResult): string {
  const most =
    Math.max(...comparisons.map(({ ratio, target }) => Math.max(ratio, target.bound)), 0.001) * 1.15;
  const scale = (ratio: number) => (ratio / most) * (WIDTH - LEFT - 80);
  const bars = comparisons.map((comparison, index) => {
    const { what, ratio, target } = comparison;
    const y = 50 + index * ROW;
    const color = holds(comparison) ? '#2a7f62' : '#b23a48';
    const mark = LEFT + scale(target.bound);
    return [
      `<text x="10" y="${y + 18}">${escapeXml(what)}</text>`,
      `<rect x="${LEFT}" y="${y}" width="${scale(ratio).toFixed(1)}" height="26" fill="${color}"/>`,
      `<text x="${(LEFT + scale(ratio) + 6).toFixed(1)}" y="${y + 18}">${ratio.toFixed(3)}</text>`,
      `<line x1="${mark.toFixed(1)}" x2="${mark.toFixed(1)}" y1="${y - 6}" y2="${y + 32}" stroke="#333" stroke-dasharray="4 3"/>`,
    ].join('');
  });
  const height = 60 + comparisons.length * ROW;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="14">` +
    `<rect width="100%" height="100%" fill="#fff"/><text x="10" y="28" font-size="18">${escapeXml(name)}: ours to peer</text>` +
    `${bars.join('')}</svg>\n`
  );
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
