/** A request or a deposit that lets anyone freeze the contract. Unix times in seconds. */
export interface Due {
  readonly overdueAt: number;
  /** When a freeze by it was announced; undefined when none was. */
  readonly announcedAt: number | undefined;
}

/** What is due of a contract that freezes, at a block. */
export interface Dues {
  /** Unix time of the block in seconds. */
  readonly now: number;
  readonly isFrozen: boolean;
  /** From the announcement of a freeze to the freeze. */
  readonly announcementSeconds: number;
  /** The account's own open request. */
  readonly request: Due | undefined;
  /** Deposits that no batch has taken: the first of all, and the first of the account. */
  readonly deposits: readonly (Due & { readonly index: number })[];
}

/** What the contract is frozen by: the account's request, or the deposit with an index. */
export type FreezeReason = 'request' | { readonly deposit: number };

export type FreezeStep =
  | { readonly do: 'withdraw' }
  | { readonly do: 'announce' | 'freeze'; readonly by: FreezeReason }
  | { readonly do: 'request' }
  /** Until the contract may be frozen; there may be something to do before, at `next`. */
  | { readonly do: 'wait'; readonly until: number; readonly next: number }
  /** Nothing is left that can be asked for, and nothing to wait for. */
  | { readonly do: 'end' };

/** The next call about one that is due. Unix times in seconds. */
interface Action {
  readonly do: 'announce' | 'freeze';
  readonly by: FreezeReason;
  /** The contract accepts the call from then on. */
  readonly from: number;
  /** The contract may be frozen by it from then on. */
  readonly frozenFrom: number;
}

/**
 * What an exit does next: a pure function of what is due and what the holder could ask for.
 *
 * @param dues - of the contract
 * @param left - canRequest: whether there is an operation that the contract takes a request of; isWaiting: whether a deposit of the
 *   account is in the queue
 * @returns the step
 */
export function nextFreezeStep(
  dues: Dues,
  left: { readonly canRequest: boolean; readonly isWaiting: boolean },
): FreezeStep {
  const { now, isFrozen, request } = dues;
  if (isFrozen) return { do: 'withdraw' };
  if (!left.canRequest && !left.isWaiting && request === undefined) return { do: 'end' };
  const actions = actionsOf(dues);
  const possible = actions.filter(({ from }) => now >= from);
  const action = possible.find(({ do: what }) => what === 'freeze') ?? possible[0];
  if (action !== undefined) return { do: action.do, by: action.by };
  if (left.canRequest) return { do: 'request' };
  // Without any, the holder's deposit was taken since it was looked for: the next look sees the order.
  const first = (times: readonly number[]) => Math.min(...(times.length === 0 ? [now] : times));
  return {
    do: 'wait',
    until: first(actions.map(({ frozenFrom }) => frozenFrom)),
    next: first(actions.map(({ from }) => from)),
  };
}

function actionsOf({ request, deposits, announcementSeconds }: Dues): Action[] {
  const actionOf = (by: FreezeReason, { overdueAt, announcedAt }: Due): Action => {
    if (announcedAt === undefined)
      return { do: 'announce', by, from: overdueAt - announcementSeconds, frozenFrom: overdueAt };
    const from = Math.max(overdueAt, announcedAt + announcementSeconds);
    return { do: 'freeze', by, from, frozenFrom: from };
  };
  return [
    ...(request === undefined ? [] : [actionOf('request', request)]),
    ...deposits.map((deposit) => actionOf({ deposit: deposit.index }, deposit)),
  ];
}
