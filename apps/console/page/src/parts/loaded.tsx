import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from '../api/call-node.js';
import { age } from './format.js';

/** Data older than this are said to be old, in ms. */
const STALE_MS = 10_000;

/** What people read when something could not be had. */
export function reasonOf(error: unknown): string {
  if (error instanceof Failure) return error.message;
  return 'the answer has a form that the console does not know';
}

/** The states of what is asked for: loading, failed without data, data that are old since later requests failed, data. */
export function Loaded<Data>(props: {
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}) {
  const { query } = props;
  if (query.data === undefined)
    return query.error === null ? (
      <p className="loading" role="status">
        Loading…
      </p>
    ) : (
      <p className="failed" role="alert">
        <bdi>{reasonOf(query.error)}</bdi>
      </p>
    );
  const isStale = query.error !== null && Date.now() - query.dataUpdatedAt > STALE_MS;
  return (
    <>
      {isStale && (
        <p className="stale" role="alert">
          As it was {age(query.dataUpdatedAt / 1_000, Date.now())} ago: <bdi>{reasonOf(query.error)}</bdi>.
        </p>
      )}
      {props.children(query.data)}
    </>
  );
}
