import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Network } from '../../api/shapes.js';
import { Loaded } from '../../parts/loaded.js';
import { navigate, useAddress } from '../../routing.js';

/** The node that is asked, and the one whose answers are beside it: that of the address, or the next one. */
export function useSides(network: Network, node: string): readonly string[] {
  const chosen = useAddress().searchParams.get('beside');
  const others = network.nodes.map(({ name }) => name).filter((name) => name !== node);
  const beside = others.find((name) => name === chosen) ?? (chosen === '' ? undefined : others[0]);
  return beside === undefined ? [node] : [node, beside];
}

/**
 * Chooses the node beside.
 * @param props.path - of the view
 */
export function ChooseBeside(props: {
  readonly network: Network;
  readonly sides: readonly string[];
  readonly path: string;
}) {
  const [node, beside = ''] = props.sides;
  const choose = (name: string) => navigate(`${props.path}?beside=${encodeURIComponent(name)}`);
  return (
    <p>
      <label>
        Beside{' '}
        <select value={beside} onChange={({ target }) => choose(target.value)}>
          <option value="">no other node</option>
          {props.network.nodes.map(({ name }) => name !== node && <option key={name}>{name}</option>)}
        </select>
      </label>
    </p>
  );
}

/** What nodes answer, side by side; below one another on a narrow window. */
export function Sides<Data>(props: {
  readonly names: readonly string[];
  readonly queries: readonly UseQueryResult<Data>[];
  /** @param name - of the node that answered */
  readonly children: (data: Data, name: string) => ReactNode;
}) {
  return (
    <div className="sides">
      {props.names.map((name, index) => {
        const query = props.queries[index];
        return (
          <section key={name} aria-labelledby={`side-${index}`}>
            <h2 id={`side-${index}`}>
              As <bdi>{name}</bdi> sees it
            </h2>
            {query && <Loaded query={query}>{(data) => props.children(data, name)}</Loaded>}
          </section>
        );
      })}
    </div>
  );
}
