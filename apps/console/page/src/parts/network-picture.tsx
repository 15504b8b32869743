import { connections, type DrawnNode } from './connections.js';
import { isolated } from './format.js';

const SIZE = 320;
const RADIUS = 120;
/** Characters of a name; longer ones would cover others. */
const MAX_NAME = 16;

/** Nodes on a circle, with a line between two of which one names the other as its peer. */
export function NetworkPicture({ nodes }: { readonly nodes: readonly DrawnNode[] }) {
  const places = nodes.map((_, index) => {
    const angle = (2 * Math.PI * index) / nodes.length - Math.PI / 2;
    return { x: SIZE / 2 + RADIUS * Math.cos(angle), y: SIZE / 2 + RADIUS * Math.sin(angle) };
  });
  const lines = connections(nodes);
  return (
    <figure>
      <svg
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        className="picture"
        role="img"
        aria-label={sentenceOf(nodes, lines)}
      >
        {lines.map(([from, to]) => (
          <line
            key={`${from}-${to}`}
            x1={places[from]?.x}
            y1={places[from]?.y}
            x2={places[to]?.x}
            y2={places[to]?.y}
          />
        ))}
        {nodes.map(({ name, isUp }, index) => (
          <g key={name} className={isUp ? 'up' : 'down'}>
            <circle cx={places[index]?.x} cy={places[index]?.y} r="10" />
            <text x={places[index]?.x} y={(places[index]?.y ?? 0) + 26} textAnchor="middle">
              {isolated(name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name)}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  );
}

function sentenceOf(nodes: readonly DrawnNode[], lines: readonly unknown[]): string {
  const down = nodes.filter(({ isUp }) => !isUp).map(({ name }) => isolated(name));
  const all = (nodes.length * (nodes.length - 1)) / 2;
  const missing = down.length === 0 ? 'All answer.' : `${down.join(', ')} cannot be reached.`;
  return `${nodes.length} nodes, ${lines.length} of ${all} possible connections. ${missing}`;
}
