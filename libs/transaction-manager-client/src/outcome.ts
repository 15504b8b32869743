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
  /** Its message; a node passes it to clients as `<status> status: <text>`. */
  readonly text: string;
}

/** Outcome of a request to do something. */
export type Outcome<T> = { readonly kind: 'done'; readonly value: T } | Refused | Unknown;

/**
 * Outcome of a lookup of something that a manager stores. A node that executes a block may continue as a non-party only
 * after `not-found`.
 */
export type Found<T> =
  { readonly kind: 'found'; readonly value: T } | { readonly kind: 'not-found' } | Unknown;

/** Longest text of a manager that is passed on. */
export const MAX_TEXT = 4_096;

export function unknown(reason: string): Unknown {
  return { kind: 'unknown', reason };
}

/** The text that clients of nodes look for in the failure of a manager. */
export function rejectionText({ status, text }: Refused): string {
  return `${status} status: ${text}`;
}
