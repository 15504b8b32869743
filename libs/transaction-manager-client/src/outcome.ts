/** The manager could not be asked, did not answer in time, or answered what no manager answers: ask again later. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly reason: string;
}

/** The manager understood, and refuses. */
export interface Refused {
  readonly kind: 'refused';
  /** HTTP status. */
  readonly status: number;
  /** What it says; clients of nodes are told `<status> status: <text>`. */
  readonly text: string;
}

/** What asking a manager to do something comes to. */
export type Outcome<T> = { readonly kind: 'done'; readonly value: T } | Refused | Unknown;

/**
 * What asking a manager for something it stores comes to. Whoever executes a block may go on as an outsider at
 * `not-found`, and at nothing else.
 */
export type Found<T> =
  { readonly kind: 'found'; readonly value: T } | { readonly kind: 'not-found' } | Unknown;

export function unknown(reason: string): Unknown {
  return { kind: 'unknown', reason };
}

/** The text that clients of nodes look for in the failure of a manager. */
export function rejectionText({ status, text }: Refused): string {
  return `${status} status: ${text}`;
}
