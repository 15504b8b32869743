/** What is due of a contract that freezes, at a block. Unix times in seconds. */
export interface Dues {
  readonly now: number;
  readonly isFrozen: boolean;
  /** Of the account's own open request. */
  readonly requestDue: number | undefined;
  /** Of the first deposit that no batch has taken. */
  readonly depositDue: number | undefined;
}

export type FreezeStep =
  | { readonly do: 'withdraw' }
  | { readonly do: 'freeze'; readonly by: 'request' | 'deposit' }
  | { readonly do: 'request' }
  | { readonly do: 'wait'; readonly until: number }
  /** Nothing is left that can be asked for, and nothing to wait for. */
  | { readonly do: 'end' };

/**
 * What an exit does next: a pure function of what is due and what the holder could ask for.
 *
 * @param dues - of the contract
 * @param left - canRequest: whether there is an operation to ask for; isWaiting: whether a deposit of the holder's is in the queue
 * @returns the step
 */
export function nextFreezeStep(
  dues: Dues,
  left: { readonly canRequest: boolean; readonly isWaiting: boolean },
): FreezeStep {
  const { now, isFrozen, requestDue, depositDue } = dues;
  if (isFrozen) return { do: 'withdraw' };
  const isLeft = left.canRequest || left.isWaiting || requestDue !== undefined;
  if (!isLeft) return { do: 'end' };
  if (requestDue !== undefined && now >= requestDue) return { do: 'freeze', by: 'request' };
  if (depositDue !== undefined && now >= depositDue) return { do: 'freeze', by: 'deposit' };
  if (requestDue === undefined && left.canRequest) return { do: 'request' };
  const times = [requestDue, depositDue].filter((time) => time !== undefined);
  // The holder's deposit was taken since it was looked for: the next look sees the order.
  return { do: 'wait', until: Math.min(...(times.length === 0 ? [now] : times)) };
}
