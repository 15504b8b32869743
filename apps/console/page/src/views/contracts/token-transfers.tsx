import { zeroAddress } from 'viem';
import type { Transfer } from '../../abi/token-transfers.js';
import { tokenAmount } from '../../abi/token.js';
import { useToken } from '../../api/token-queries.js';
import type { Column } from '../../parts/column.js';
import { age, count, time } from '../../parts/format.js';
import { AddressLink, TransactionLink } from '../../parts/link.js';
import { useNow } from '../../parts/now.js';
import { Table } from '../../parts/table.js';

/** Transfers that are shown of a transaction or of a page of them. */
const MAX_SHOWN = 200;
/** Tokens that are asked for their names and units. */
const MAX_ASKED = 20;

/** A transfer with where it happened. */
export interface ListedTransfer extends Transfer {
  readonly hash: string;
  /** Seconds since the epoch. */
  readonly time: number;
}

/** What tokens say that they moved, in their own units; nothing where there is no transfer. */
export function TokenTransfers(props: {
  readonly caption: string;
  readonly node: string;
  readonly transfers: readonly ListedTransfer[];
  /** Whether all are of one transaction, which stands above. */
  readonly isOfOne?: boolean;
}) {
  const { caption, node, transfers, isOfOne } = props;
  const now = useNow();
  const asked = new Set([...new Set(transfers.map(({ token }) => token))].slice(0, MAX_ASKED));
  const rows = transfers.slice(0, MAX_SHOWN).map((transfer, at) => ({ ...transfer, at }));
  if (rows.length === 0) return null;
  return (
    <>
      <Table
        caption={caption}
        rows={rows}
        keyOf={({ at }) => String(at)}
        empty=""
        columns={[...(isOfOne === true ? [] : whereColumns(now)), ...movedColumns(node, asked)]}
      />
      {transfers.length > MAX_SHOWN && (
        <p className="empty">{count(transfers.length - MAX_SHOWN)} more are not shown.</p>
      )}
    </>
  );
}

/** Where a transfer happened. */
const whereColumns = (now: ReturnType<typeof useNow>): Column<ListedTransfer>[] => [
  { title: 'Transaction', cell: ({ hash }) => <TransactionLink hash={hash} /> },
  {
    title: 'Age',
    isNumber: true,
    cell: (row) => <time title={time(row.time)}>{age(row.time, now)}</time>,
  },
];

/** What it moved; `asked` are the tokens that are asked for their names and units. */
const movedColumns = (node: string, asked: ReadonlySet<string>): Column<Transfer>[] => [
  {
    title: 'From',
    cell: ({ from }) => (from === zeroAddress ? 'created' : <AddressLink address={from} />),
  },
  {
    title: 'To',
    cell: ({ to }) => (to === zeroAddress ? 'destroyed' : <AddressLink address={to} />),
  },
  {
    title: 'Amount',
    isNumber: true,
    cell: (row) => <Amount of={row} node={node} isAsked={asked.has(row.token)} />,
  },
  {
    title: 'Token',
    cell: ({ token }) => <TokenName node={node} address={token} isAsked={asked.has(token)} />,
  },
];

function Amount(props: { readonly of: Transfer; readonly node: string; readonly isAsked: boolean }) {
  const { of, node, isAsked } = props;
  const { data } = useToken(node, of.token, isAsked);
  const symbol = <bdi>{data?.symbol ?? ''}</bdi>;
  const id = of.id === undefined ? '' : `no. ${of.id.toString()}`;
  if (of.amount === undefined)
    return (
      <>
        {symbol} {id}
      </>
    );
  if (of.id !== undefined)
    return (
      <>
        {count(of.amount)} of {symbol} {id}
      </>
    );
  if (data?.standard !== 'ERC-20') return `${count(of.amount)} of the smallest unit`;
  return (
    <>
      {tokenAmount(of.amount, data.decimals)} {symbol}
    </>
  );
}

/** By the name that the operator gave the contract, otherwise by the one that it gives itself. */
function TokenName(props: { readonly node: string; readonly address: string; readonly isAsked: boolean }) {
  const { node, address, isAsked } = props;
  const { data } = useToken(node, address, isAsked);
  return (
    <>
      <AddressLink address={address} />{' '}
      {data?.name !== undefined && (
        <small>
          <bdi>{data.name}</bdi>
        </small>
      )}
    </>
  );
}
