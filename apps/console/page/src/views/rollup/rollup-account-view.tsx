import { useRollupAccount, useRollupOperations } from '../../api/rollup-queries.js';
import type { AccountState } from '../../api/rollup-shapes.js';
import { Facts } from '../../parts/facts.js';
import { count } from '../../parts/format.js';
import { Loaded } from '../../parts/loaded.js';
import { tokenName } from '../../parts/rollup-links.js';
import { Table } from '../../parts/table.js';
import { RollupOperations } from './rollup-operations.js';

type Found = NonNullable<ReturnType<typeof useRollupAccount>['data']>;

/** An account of the rollup: its final state, and its operations on the way there. */
export function RollupAccountView({ id }: { readonly id: number }) {
  const query = useRollupAccount(id);
  return (
    <>
      <h1>Rollup account {id}</h1>
      <Loaded query={query}>
        {(found) =>
          found === null ? (
            <p className="empty">The operator knows no account of that id.</p>
          ) : (
            <Account id={id} found={found} />
          )
        }
      </Loaded>
    </>
  );
}

function Account({ id, found }: { readonly id: number; readonly found: Found }) {
  const { account, latest, final } = found;
  return (
    <>
      <Facts
        of={{
          'Public key': <code>{account.publicKey}</code>,
          Nonce: latest === undefined ? 'not known to the operator' : count(latest.nonce),
          'Final nonce': final === undefined ? 'none yet' : count(final.nonce),
          'Redeemed up to': final === undefined ? undefined : orderPlace(final.redemptionIndex),
        }}
      />
      {final === undefined ? (
        <p className="empty">No final state of it is known.</p>
      ) : (
        <Balances of={final} />
      )}
      {latest !== undefined && <History id={id} latest={latest} />}
    </>
  );
}

/** @param totalIndex - total index, batch height · 2^16 + place in the batch */
function orderPlace(totalIndex: number): string {
  if (totalIndex === 0) return 'none';
  return `order ${totalIndex % 65_536} of batch ${count(Math.floor(totalIndex / 65_536))}`;
}

function Balances({ of }: { readonly of: AccountState }) {
  return (
    <Table
      caption="Final balances"
      rows={Object.entries(of.balances)}
      keyOf={([tokenId]) => tokenId}
      empty="It holds nothing."
      columns={[
        { title: 'Token', cell: ([tokenId]) => tokenName(Number(tokenId)) },
        { title: 'Units', isNumber: true, cell: ([, units]) => count(units) },
      ]}
    />
  );
}

function History({ id, latest }: { readonly id: number; readonly latest: NonNullable<Found['latest']> }) {
  const query = useRollupOperations(id, latest);
  return <Loaded query={query}>{(lists) => <RollupOperations {...lists} />}</Loaded>;
}
