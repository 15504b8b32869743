import { useTrace } from '../api/queries.js';
import type { Frame } from '../api/shapes.js';
import { coins, count } from '../parts/format.js';
import { AddressLink } from '../parts/link.js';
import { Loaded } from '../parts/loaded.js';

/** The calls of a transaction as a tree. */
export function CallTree({ node, hash }: { readonly node: string; readonly hash: string }) {
  const query = useTrace(node, hash, true);
  return (
    <Loaded query={query}>
      {({ frames, leftOut }) => (
        <>
          <ul className="tree">
            {frames.map(({ frame, depth }, index) => (
              <li key={index} style={{ marginInlineStart: `${Math.min(depth, 20)}rem` }}>
                <Call frame={frame} />
              </li>
            ))}
          </ul>
          {leftOut > 0 && <p className="empty">{count(leftOut)} further calls are not shown.</p>}
        </>
      )}
    </Loaded>
  );
}

function Call({ frame }: { readonly frame: Frame }) {
  return (
    <>
      <strong>{frame.type}</strong>{' '}
      {frame.to === undefined ? 'a new contract' : <AddressLink address={frame.to} />}
      {frame.value !== undefined && frame.value > 0n && `, value ${coins(frame.value)}`}
      {frame.gasUsed !== undefined && `, gas ${count(frame.gasUsed)}`}{' '}
      {frame.error !== undefined && (
        <span className="badge bad">
          <bdi>{frame.error}</bdi>
        </span>
      )}
    </>
  );
}
