import type { RollupToken } from '../../api/rollup-contract.js';
import { count, counted } from '../../parts/format.js';
import { AddressLink } from '../../parts/link.js';
import { Table } from '../../parts/table.js';

/**
 * What accounts of the rollup can hold.
 * @param options.all - how many tokens there are
 */
export function RollupTokens({
  tokens,
  all,
}: {
  readonly tokens: readonly RollupToken[];
  readonly all: number;
}) {
  return (
    <>
      <Table
        caption={counted(all, 'tokens')}
        rows={tokens}
        keyOf={({ id }) => String(id)}
        empty="The contract takes no token."
        columns={[
          { title: 'Token', isNumber: true, cell: ({ id }) => id },
          {
            title: 'Contract',
            cell: ({ address }) => (address === undefined ? 'ether' : <AddressLink address={address} />),
          },
          { title: 'Base units in a unit', isNumber: true, cell: ({ unit }) => count(unit) },
          { title: 'Units held', isNumber: true, cell: ({ held }) => count(held) },
        ]}
      />
      {all > tokens.length && (
        <p className="empty">{count(all - tokens.length)} further ones are not shown.</p>
      )}
    </>
  );
}
