import type { MouseEvent, ReactNode } from 'react';
import { navigate, withNode } from '../routing.js';
import { short } from './format.js';
import { useName } from './names.js';

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

/**
 * To an account, by its name where the operator gave it one.
 * @param props.isWhole - whether the whole address is shown, with the name beside it
 * @param props.isBare - whether the name stands elsewhere
 */
export function AddressLink(props: {
  readonly address: string;
  readonly isWhole?: boolean;
  readonly isBare?: boolean;
}) {
  const { address, isWhole, isBare } = props;
  const known = useName(address);
  const name = isBare === true ? undefined : known;
  return (
    <>
      <Link to={`/accounts/${address}`} title={address}>
        {name !== undefined && isWhole !== true ? (
          <bdi>{name}</bdi>
        ) : (
          <code>{isWhole === true ? address : short(address)}</code>
        )}
      </Link>
      {name !== undefined && isWhole === true && (
        <>
          {' '}
          <bdi>{name}</bdi>
        </>
      )}
    </>
  );
}

export const TransactionLink = ({ hash, whole }: { readonly hash: string; readonly whole?: boolean }) => (
  <Link to={`/transactions/${hash}`} title={hash}>
    <code>{whole === true ? hash : short(hash)}</code>
  </Link>
);

export const BlockLink = ({ number }: { readonly number: number }) => (
  <Link to={`/blocks/${number}`}>{number}</Link>
);
