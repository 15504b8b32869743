import { AddressLink, Link } from './link.js';
import { short } from './format.js';

export const RollupAccountLink = ({ id }: { readonly id: number }) => (
  <Link to={`/rollup/accounts/${id}`}>{id}</Link>
);

export const OperationLink = ({ hash }: { readonly hash: string }) => (
  <Link to={`/rollup/operations/${hash}`} title={hash}>
    <code>{short(hash)}</code>
  </Link>
);

/** @param options - an account of the rollup, or an Ethereum address */
export const ReceiverLink = ({ to }: { readonly to: number | string }) =>
  typeof to === 'number' ? <RollupAccountLink id={to} /> : <AddressLink address={to} />;

/** `ether`, `token 3` */
export const tokenName = (id: number): string => (id === 0 ? 'ether' : `token ${id}`);
