import type { MouseEvent, ReactNode } from 'react';
import { navigate, withNode } from '../routing.js';
import { short } from './format.js';

/** A link to another view. It is a real address: it can be opened in another tab and kept. */
export function Link(props: {
  readonly to: string;
  readonly children: ReactNode;
  readonly title?: string | undefined;
  readonly isCurrent?: boolean | undefined;
}) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    navigate(props.to);
  };
  return (
    <a
      href={withNode(props.to)}
      onClick={follow}
      title={props.title}
      aria-current={props.isCurrent === true ? 'page' : undefined}
    >
      {props.children}
    </a>
  );
}

export const AddressLink = ({ address }: { readonly address: string }) => (
  <Link to={`/accounts/${address}`} title={address}>
    <code>{short(address)}</code>
  </Link>
);

export const TransactionLink = ({ hash, whole }: { readonly hash: string; readonly whole?: boolean }) => (
  <Link to={`/transactions/${hash}`} title={hash}>
    <code>{whole === true ? hash : short(hash)}</code>
  </Link>
);

export const BlockLink = ({ number }: { readonly number: number }) => (
  <Link to={`/blocks/${number}`}>{number}</Link>
);
