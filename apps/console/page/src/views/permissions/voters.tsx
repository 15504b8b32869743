import { AddressLink } from '../../parts/link.js';
import type { NetworkAdmins } from '../../permissions/network-admins.js';

/** The network admins in office. */
export function Voters({ admins }: { readonly admins: NetworkAdmins }) {
  if (admins.accounts.length === 0) return <span className="badge bad">no account</span>;
  return (
    <ul className="inline">
      {admins.accounts.map(({ acctId }) => (
        <li key={acctId}>
          <AddressLink address={acctId} />
        </li>
      ))}
    </ul>
  );
}
