import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import type { Block } from '../api/shapes.js';

const HEIGHT = 160;

/**
 * Transactions of each block, as bars, and the seconds since the block before, as a line.
 * @param options.blocks - highest first
 */
export function BlockChart({ blocks }: { readonly blocks: readonly Block[] }) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const drawn = new uPlot(optionsOf(element), [[], [], []], element);
    plot.current = drawn;
    const resized = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      drawn.destroy();
    };
  }, []);
  useEffect(() => plot.current?.setData(seriesOf(blocks)), [blocks]);
  const [newest] = blocks;
  const total = blocks.reduce((sum, { transactions }) => sum + transactions.length, 0);
  return (
    <figure>
      <figcaption>
        The last {blocks.length} blocks{newest && `, up to ${newest.number}`}: {total} transactions.
      </figcaption>
      <div ref={place} className="chart" aria-hidden="true" />
    </figure>
  );
}

function seriesOf(blocks: readonly Block[]): uPlot.AlignedData {
  const rising = [...blocks].reverse();
  return [
    rising.map(({ number }) => number),
    rising.map(({ transactions }) => transactions.length),
    rising.map(({ timestamp }, index) => {
      const parent = rising[index - 1];
      // Block 0 has the time of its file.
      return parent === undefined || parent.number === 0 ? null : timestamp - parent.timestamp;
    }),
  ];
}

function optionsOf(element: HTMLElement): uPlot.Options {
  const colour = (name: string) => colourOf(element, name);
  const axis = {
    stroke: colour('--text'),
    grid: { stroke: colour('--line') },
    ticks: { stroke: colour('--line') },
  };
  const points = { show: false };
  const bars = uPlot.paths.bars?.({ size: [0.7, 40] });
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: true },
    scales: { x: { time: false }, seconds: { range: (_plot, _min, max) => [0, Math.max(2, max ?? 2)] } },
    axes: [
      { ...axis, grid: { show: false } },
      { ...axis, label: 'transactions' },
      { ...axis, scale: 'seconds', side: 1, label: 'seconds', grid: { show: false } },
    ],
    series: [
      { label: 'block' },
      {
        label: 'transactions',
        points,
        stroke: colour('--accent'),
        fill: colour('--accent'),
        ...(bars && { paths: bars }),
      },
      {
        label: 'seconds since the block before',
        points,
        scale: 'seconds',
        stroke: colour('--warm'),
        width: 2,
      },
    ],
  };
}

/** A colour of the style sheet as a canvas takes it, which knows no `light-dark()`. */
function colourOf(element: HTMLElement, name: string): string {
  element.style.color = `var(${name})`;
  const { color } = getComputedStyle(element);
  element.style.removeProperty('color');
  return color;
}
