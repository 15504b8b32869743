import { Facts } from '../../parts/facts.js';
import { AddressLink } from '../../parts/link.js';
import { OrgLink, WhyLink } from '../../parts/org-link.js';
import { ShownId } from '../../parts/shown-id.js';
import type { NetworkAdmins } from '../../permissions/network-admins.js';
import type { EntryAction } from '../../permissions/permission-actions.js';
import { callText, pendingItems, type Entries, type PendingItem } from '../../permissions/pending-items.js';
import type { Sender } from '../../permissions/permission-write.js';
import { PermissionButtons } from './permission-buttons.js';
import { Voters } from './voters.js';

/** Items that are shown; the contracts have one at a time. */
const MAX_ITEMS = 20;

/** What waits for votes, the call that approves it, and who has to vote. */
export function PendingVotes(props: {
  readonly entries: Entries;
  readonly admins: NetworkAdmins | undefined;
  /** Who approves; undefined where the reader may not. */
  readonly by: Sender | undefined;
}) {
  const items = pendingItems(props.entries).slice(0, MAX_ITEMS);
  if (items.length === 0) return <p className="empty">Nothing waits for votes.</p>;
  return items.map((item) => (
    <Item key={callText(item.approval)} item={item} admins={props.admins} by={props.by} />
  ));
}

function Item(props: {
  readonly item: PendingItem;
  readonly admins: NetworkAdmins | undefined;
  readonly by: Sender | undefined;
}) {
  const { item, admins, by } = props;
  return (
    <Facts
      of={{
        Proposal: item.what,
        Organization: (
          <>
            <OrgLink id={item.orgId} /> <WhyLink subject="org" id={item.orgId} />
          </>
        ),
        Subject: item.subject === undefined ? undefined : <Subject id={item.subject} />,
        'Call that approves it': <code>{callText(item.approval)}</code>,
        Vote: by && <PermissionButtons by={by} actions={[approvalOf(item)]} />,
        'Who has to vote': (
          <>
            More than half of all accounts that ever were network admins. In office are{' '}
            {admins === undefined ? 'none' : <Voters admins={admins} />}
          </>
        ),
      }}
    />
  );
}

const approvalOf = ({ what, approval, change }: PendingItem): EntryAction => ({
  label: 'Approve',
  title: `Approve: ${what}`,
  call: approval,
  effect: 'One vote for it. With more than half of them it takes effect:',
  ...(change === undefined ? {} : { change }),
});

const Subject = ({ id }: { readonly id: string }) =>
  /^0x[0-9a-f]{40}$/i.test(id) ? (
    <AddressLink address={id} />
  ) : (
    <code>
      <ShownId id={id} />
    </code>
  );
