import { abisFor, type KeptAbi } from '../../abi/kept-abi.js';
import { useKeptAbis } from '../../abi/kept-abis.js';
import { meaningsOfCall } from '../../abi/meanings.js';
import type { MinedTransaction } from '../../api/latest-transactions.js';
import { age, coins, time } from '../../parts/format.js';
import { AddressLink, BlockLink, TransactionLink } from '../../parts/link.js';
import { useNow } from '../../parts/now.js';
import { Table } from '../../parts/table.js';
import { privateKindOf } from '../../privacy/private-transactions.js';

/** Mined transactions: what each does, whether it failed, and when. */
export function TransactionTable(props: {
  readonly caption: string;
  readonly rows: readonly MinedTransaction[];
  readonly empty: string;
}) {
  const abis = useKeptAbis();
  const now = useNow();
  return (
    <Table
      caption={props.caption}
      rows={props.rows}
      keyOf={({ transaction }) => transaction.hash}
      empty={props.empty}
      columns={[
        { title: 'Transaction', cell: ({ transaction }) => <TransactionLink hash={transaction.hash} /> },
        { title: 'What', cell: (row) => <What of={row} abis={abis} /> },
        { title: 'Block', isNumber: true, cell: ({ blockNumber }) => <BlockLink number={blockNumber} /> },
        {
          title: 'Age',
          isNumber: true,
          cell: (row) => <time title={time(row.time)}>{age(row.time, now)}</time>,
        },
        { title: 'From', cell: ({ transaction }) => <AddressLink address={transaction.from} /> },
        { title: 'To', cell: (row) => <To of={row} /> },
        { title: 'Value', isNumber: true, cell: ({ transaction }) => coins(transaction.value) },
      ]}
    />
  );
}

function What({ of, abis }: { readonly of: MinedTransaction; readonly abis: readonly KeptAbi[] }) {
  return (
    <>
      <bdi>{whatItIs(of.transaction, abis)}</bdi>
      {of.receipt?.status === 0 && (
        <>
          {' '}
          <span className="badge bad">failed</span>
        </>
      )}
    </>
  );
}

/** Characters of a function's name that are shown. */
const MAX_NAME = 40;

/** What the transaction does, in a word or two: the name of the function where one is known. */
function whatItIs(transaction: MinedTransaction['transaction'], abis: readonly KeptAbi[]): string {
  const { to, input } = transaction;
  const kind = privateKindOf(transaction);
  if (kind !== undefined) return kind === 'private' ? 'private' : 'privacy marker';
  if (!to) return 'new contract';
  if (input === '0x') return 'transfer of coins';
  const meaning = meaningsOfCall(abisFor(abis, to), input).find(({ values }) => values !== undefined);
  if (meaning === undefined) return input.length < 10 ? 'data' : input.slice(0, 10);
  return meaning.title.slice(0, Math.min(MAX_NAME, meaning.title.indexOf('(')));
}

function To({ of: { transaction, receipt } }: { readonly of: MinedTransaction }) {
  if (transaction.to) return <AddressLink address={transaction.to} />;
  return receipt?.contractAddress ? <AddressLink address={receipt.contractAddress} /> : 'a new contract';
}
