import {
  useCreatedContracts,
  useHour,
  usePermissionChanges,
  type Hour,
  type PermissionChange,
} from '../../api/hour-queries.js';
import { blockEvents, type BlockEvent, type LateRounds } from '../../network/block-events.js';
import { age, count, time } from '../../parts/format.js';
import { AddressLink, BlockLink, TransactionLink } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';

/**
 * What changed on the chain in the last hour.
 * @param options.isWanted - whether what is above it is there
 */
export function LastHour({ node, isWanted }: { readonly node: string; readonly isWanted: boolean }) {
  return (
    <Loaded query={useHour(node, isWanted)}>
      {(hour) => (
        <>
          <p>{spanOf(hour)}</p>
          <Events events={blockEvents(hour.blocks)} />
          <Permissions node={node} hour={hour} />
          <Contracts node={node} hour={hour} />
        </>
      )}
    </Loaded>
  );
}

function spanOf({ blocks, isWhole }: Hour): string {
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (first === undefined || last === undefined) return 'The chain has no block.';
  const span = age(first.timestamp, last.timestamp * 1_000);
  const read = `${count(blocks.length)} blocks, ${count(first.number)} to ${count(last.number)}`;
  return isWhole
    ? `Read: ${read}, of ${span} up to the newest.`
    : `Read: ${read}. They are the last ${span}: the hour has more blocks than are read.`;
}

/** Rows that are shown; an hour without quorum may have many. */
const MAX_EVENTS = 100;

function Events({ events }: { readonly events: readonly BlockEvent[] }) {
  return (
    <>
      <Table
        caption="Validators, votes, late rounds and gaps, newest first"
        rows={events.slice(0, MAX_EVENTS)}
        keyOf={({ block, kind }) => `${block} ${kind}`}
        empty="Nothing of the kind."
        columns={[
          { title: 'Block', isNumber: true, cell: ({ block }) => <BlockLink number={block} /> },
          { title: 'Time', cell: (event) => time(event.time) },
          { title: 'What', cell: (event) => <What of={event} /> },
        ]}
      />
      {events.length > MAX_EVENTS && (
        <p className="empty">{count(events.length - MAX_EVENTS)} earlier ones are not shown.</p>
      )}
    </>
  );
}

function What({ of }: { readonly of: BlockEvent }) {
  switch (of.kind) {
    case 'gap':
      return `no block for ${count(of.seconds)} s`;
    case 'rounds':
      return <Late of={of} />;
    case 'vote':
      return (
        <>
          <AddressLink address={of.by} /> votes <AddressLink address={of.candidate} />{' '}
          {of.isIn ? 'in' : 'out'}
        </>
      );
    case 'validators':
      return (
        <>
          {of.joined.length > 0 && 'new validators: '}
          <Addresses all={of.joined} />
          {of.left.length > 0 && ' no longer validators: '}
          <Addresses all={of.left} />
        </>
      );
  }
}

const Late = ({ of: { round, missed, times, since, seconds } }: { readonly of: LateRounds }) => (
  <>
    {missed.length > 0 ? (
      <>
        <Addresses all={missed} /> proposed no block in time
      </>
    ) : (
      'no block in time'
    )}
    {times > 1 && (
      <>
        , {count(times)} times since block <BlockLink number={since} />
      </>
    )}
    {`: round ${count(round)}`}
    {seconds > 0 && `, ${times > 1 ? 'up to ' : ''}${count(seconds)} s without a block`}
  </>
);

const Addresses = ({ all }: { readonly all: readonly string[] }) =>
  all.map((address, at) => (
    <span key={address}>
      {at > 0 && ', '}
      <AddressLink address={address} />
    </span>
  ));

const keyOfChange = ({ block, place }: PermissionChange) => `${block} ${place}`;

function Permissions({ node, hour }: { readonly node: string; readonly hour: Hour }) {
  return (
    <Loaded query={usePermissionChanges(node, hour)}>
      {({ changes, leftOut }) => (
        <>
          <Table
            caption="Events with the names of permission changes, newest first"
            rows={changes}
            keyOf={keyOfChange}
            empty="No permission changed."
            columns={[
              { title: 'Block', isNumber: true, cell: ({ block }) => <BlockLink number={block} /> },
              { title: 'Time', cell: (change) => time(change.time) },
              { title: 'Event', cell: ({ name }) => name },
              { title: 'Contract', cell: ({ contract }) => <AddressLink address={contract} /> },
              { title: 'Transaction', cell: ({ transaction }) => <TransactionLink hash={transaction} /> },
            ]}
          />
          {changes.length > 0 && (
            <p className="empty">
              Any contract can log events of these names. Only those of the contracts in
              permission-config.json changed a permission.
            </p>
          )}
          {leftOut > 0 && <p className="empty">{count(leftOut)} earlier ones are not shown.</p>}
        </>
      )}
    </Loaded>
  );
}

function Contracts({ node, hour }: { readonly node: string; readonly hour: Hour }) {
  const { created, isPending, failed, searched, leftOut } = useCreatedContracts(node, hour);
  return (
    <>
      <Table
        caption={`Contracts created in the newest ${count(searched)} blocks with transactions`}
        rows={created}
        keyOf={({ transaction }) => transaction}
        empty={isPending ? 'Loading…' : 'No contract was created.'}
        columns={[
          { title: 'Block', isNumber: true, cell: ({ block }) => <BlockLink number={block} /> },
          { title: 'Time', cell: (one) => time(one.time) },
          { title: 'Contract', cell: ({ address }) => <AddressLink address={address} /> },
          { title: 'Created by', cell: ({ creator }) => <AddressLink address={creator} /> },
          { title: 'Transaction', cell: ({ transaction }) => <TransactionLink hash={transaction} /> },
        ]}
      />
      {leftOut > 0 && <p className="empty">{count(leftOut)} earlier blocks are not searched.</p>}
      {failed > 0 && (
        <p className="failed" role="alert">
          {count(failed)} blocks could not be read.
        </p>
      )}
    </>
  );
}
