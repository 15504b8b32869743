import { useExtensions } from '../../api/privacy-queries.js';
import { AddressLink } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { PrivacyLink } from '../../parts/privacy-link.js';
import { Table } from '../../parts/table.js';

/** Extensions under way, as the node that is asked has a part in them. */
export function Extensions({ node }: { readonly node: string }) {
  const query = useExtensions(node);
  return (
    <Loaded query={query}>
      {(active) => (
        <Table
          caption="Under way at this node"
          rows={active}
          keyOf={({ managementContractAddress }) => managementContractAddress}
          empty="No extension is under way of which this node is the initiator or the recipient."
          columns={[
            { title: 'Contract', cell: ({ contractExtended }) => <PrivacyLink id={contractExtended} /> },
            { title: 'Offered by', cell: ({ initiator }) => <AddressLink address={initiator} /> },
            { title: 'To approve by', cell: ({ recipient }) => <AddressLink address={recipient} /> },
            { title: 'New party', cell: ({ recipientPtmKey }) => <code>{recipientPtmKey}</code> },
            {
              title: 'Management contract',
              cell: ({ managementContractAddress }) => <PrivacyLink id={managementContractAddress} />,
            },
          ]}
        />
      )}
    </Loaded>
  );
}
