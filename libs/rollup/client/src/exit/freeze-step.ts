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

/** What can be done about one that is due, from when on, and from when on the contract may be frozen by it. */
interface Deed {
  readonly do: 'announce' | 'freeze';
  readonly by: FreezeReason;
  readonly from: number;
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
  const deeds = deedsOf(dues);
  const possible = deeds.filter(({ from }) => now >= from);
  const deed = possible.find(({ do: what }) => what === 'freeze') ?? possible[0];
  if (deed !== undefined) return { do: deed.do, by: deed.by };
  if (left.canRequest) return { do: 'request' };
  // Without any, the holder's deposit was taken since it was looked for: the next look sees the order.
  const first = (times: readonly number[]) => Math.min(...(times.length === 0 ? [now] : times));
  return {
    ...{ do: 'wait', until: first(deeds.map(({ frozenFrom }) => frozenFrom)) },
    next: first(deeds.map(({ from }) => from)),
  };
}

function deedsOf({ request, deposits, announcementSeconds }: Dues): Deed[] {
  const deedOf = (by: FreezeReason, { overdueAt, announcedAt }: Due): Deed => {
    if (announcedAt === undefined)
      return { do: 'announce', by, from: overdueAt - announcementSeconds, frozenFrom: overdueAt };
    const from = Math.max(overdueAt, announcedAt + announcementSeconds);
    return { do: 'freeze', by, from, frozenFrom: from };
  };
  return [
    ...(request === undefined ? [] : [deedOf('request', request)]),
    ...deposits.map((deposit) => deedOf({ deposit: deposit.index }, deposit)),
  ];
}
