import { usePreview, type Preview } from '../../api/preview-queries.js';
import { count } from '../../parts/format.js';
import { Loaded } from '../../parts/loaded.js';
import { ShownId } from '../../parts/shown-id.js';
import { Table } from '../../parts/table.js';
import type { PermissionCall } from '../../permissions/pending-items.js';

/** Rows that are shown; totals are of all. */
const MAX_ROWS = 100;

/** What an action does: in words, and as the node foresees it where it can. */
export function ChangeEffect(props: {
  readonly node: string;
  readonly text: string;
  readonly change: PermissionCall | undefined;
}) {
  const { node, text, change } = props;
  return (
    <>
      <p>{text}</p>
      {change && <Foreseen node={node} change={change} />}
    </>
  );
}

function Foreseen({ node, change }: { readonly node: string; readonly change: PermissionCall }) {
  const query = usePreview(node, change);
  return <Loaded query={query}>{(preview) => <Changes of={preview} />}</Loaded>;
}

function Changes({ of: { block, total, changes } }: { readonly of: Preview }) {
  const rows = changes.slice(0, MAX_ROWS);
  return (
    <>
      <Table
        caption={`${count(total)} permissions change, as of block ${block}`}
        rows={rows}
        keyOf={({ subject, id, action }) => `${subject} ${id} ${action}`}
        empty="No account and no node may do more or less than now."
        columns={[
          {
            title: 'Who',
            cell: ({ id }) => (
              <code>
                <ShownId id={id} />
              </code>
            ),
          },
          { title: 'What', cell: ({ action }) => action },
          {
            title: 'Then',
            cell: ({ isAllowed }) => (
              <span className={`badge ${isAllowed ? 'good' : 'bad'}`}>
                {isAllowed ? 'allowed' : 'refused'}
              </span>
            ),
          },
        ]}
      />
      {total > rows.length && (
        <p className="empty">{count(total - rows.length)} further ones are not shown.</p>
      )}
    </>
  );
}
