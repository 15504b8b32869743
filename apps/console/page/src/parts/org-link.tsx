import { idInAddress } from '../permissions/permission-ids.js';
import { Link } from './link.js';
import { ShownId } from './shown-id.js';

export const OrgLink = ({ id }: { readonly id: string }) => (
  <Link to={`/permissions?org=${idInAddress(id)}`}>
    <ShownId id={id} />
  </Link>
);

/** To the question why a permission is given or refused. */
export const WhyLink = ({
  subject,
  id,
}: {
  readonly subject: 'account' | 'node' | 'org';
  readonly id: string;
}) => (
  <Link to={`/permissions/explain?subject=${subject}&id=${idInAddress(id)}`} title={id.slice(0, 300)}>
    Why?
  </Link>
);
