import { usePermittedNodes } from '../../api/permission-queries.js';
import type { NodeState } from '../../api/queries.js';
import type { Network } from '../../api/shapes.js';
import { unlistedNodes } from '../../network/unlisted-nodes.js';
import { count } from '../../parts/format.js';
import { Table } from '../../parts/table.js';

/** Rows that are shown. */
const MAX_SHOWN = 100;

/** Nodes that the console cannot ask, since its file does not name them. */
export function UnlistedNodes(props: {
  readonly nodes: Network['nodes'];
  readonly states: readonly (NodeState | undefined)[];
  readonly node: string;
  readonly isWanted: boolean;
}) {
  const { nodes, states, node, isWanted } = props;
  const permitted = usePermittedNodes(node, isWanted);
  const peers = nodes.map(({ name }, at) => ({ name, enodes: states[at]?.peerEnodes ?? [] }));
  const addresses = nodes.map(({ address }) => address);
  const found = unlistedNodes(addresses, peers, permitted.data ?? []);
  if (found.length === 0) return null;
  return (
    <>
      <Table
        caption="Nodes that are not in the console’s file, and not asked"
        rows={found.slice(0, MAX_SHOWN)}
        keyOf={({ address }) => address}
        empty=""
        columns={[
          { title: 'Account', cell: ({ address }) => <code title={address}>{address}</code> },
          { title: 'Enode', cell: ({ enode }) => <bdi title={enode}>{hostOf(enode)}</bdi> },
          { title: 'Peer of', cell: ({ peerOf }) => <bdi>{peerOf.join(', ') || '–'}</bdi> },
          { title: 'In the permission list', cell: ({ isPermitted }) => (isPermitted ? 'yes' : 'no') },
        ]}
      />
      {found.length > MAX_SHOWN && (
        <p className="empty">{count(found.length - MAX_SHOWN)} further ones are not shown.</p>
      )}
    </>
  );
}

/** What follows the key. */
const hostOf = (enode: string) => enode.slice(enode.indexOf('@') + 1).slice(0, 100);
