import type { CallContext, Connection } from './define-method.js';

/** The sender of a body, as far as the transport knows it. */
export interface Caller {
  readonly subject?: string | undefined;
  /** Claims of the verified token; absent when authentication is off. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
  /** Network address of the client; absent where the transport has none. */
  readonly address?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The values of each header as received, repeated ones apart; absent where the transport does not pass them on. */
  readonly headerValues?: Readonly<Record<string, readonly string[] | undefined>> | undefined;
  /** Whether the caller may use the method, or everything of its permission; absent when every caller may. */
  readonly may?: (method: string, permission?: string) => boolean;
  /** The connection to push notifications to; absent over HTTP. */
  readonly connection?: Connection | undefined;
  /** Aborted when the client is gone. */
  readonly signal?: AbortSignal;
  /** Whether the client is gone, without the cost of the signal; where it is absent the signal decides. */
  readonly isGone?: boolean;
  /** Takes one call from the caller's rate allowance; false when it is used up. Absent without a limit. */
  readonly admits?: (() => boolean) | undefined;
}

/** A handler whose parameters and result were checked against its definition when it was registered. */
export type AnyHandler = (params: never, context: CallContext) => unknown;

/** Whether the client no longer waits for its answer. */
export function isGone({ isGone: gone, signal }: Pick<Caller, 'isGone' | 'signal'>): boolean {
  return gone ?? signal?.aborted ?? false;
}
