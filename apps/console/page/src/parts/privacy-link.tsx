import { short } from './format.js';
import { Link } from './link.js';

/**
 * To what nodes have of a private contract or a private transaction.
 * @param options.id - address or hash
 */
export const PrivacyLink = ({ id }: { readonly id: string }) => (
  <Link to={`/privacy/${id}`} title={id}>
    <code>{short(id)}</code>
  </Link>
);
