import {
  causeText,
  type DueTimes,
  type FreezeCause,
  type RollupReader,
  type StateName,
} from '@tetrad/rollup-chain';
import type { RollupStore, TokenProgress } from '@tetrad/rollup-store';

/** A freeze of the contract that a caller has announced by a request or a deposit that is not served. */
export interface AnnouncedFreeze {
  readonly by: FreezeCause;
  /** Unix time of the block with the announcement. */
  readonly announcedAt: number;
  /** Unix time from which anyone may freeze the contract by it. */
  readonly freezableAt: number;
}

export interface AnnouncementParts {
  readonly reader: Pick<
    RollupReader,
    'announcementSeconds' | 'depositDue' | 'requestDue' | 'waitingDeposits'
  >;
  readonly store: Pick<RollupStore, 'listRequestsDue'>;
}

/** A block of the chain, and what the contract said at it. */
export interface AnnouncementBlock {
  readonly state: StateName;
  readonly atSeconds: number;
  readonly timeoutSeconds: number;
  readonly progress: readonly TokenProgress[];
}

/** Requests, and deposits, that the contract is asked about in a look: what is overdue first is served first, so that the others come up. */
const MOST = 64;

/**
 * Finds the freezes that are announced. Announcements have no event, and are accepted from a part of the time-out before something is
 * overdue: only what is overdue that soon is asked about, and nothing is while all is served in time.
 *
 * @param parts - the contract, and its open requests
 * @param block - the latest
 * @returns the first that can be made first
 * @throws ChainUnavailableError; as the database
 */
export async function findAnnouncedFreezes(
  { reader, store }: AnnouncementParts,
  block: AnnouncementBlock,
): Promise<readonly AnnouncedFreeze[]> {
  const seconds = await reader.announcementSeconds(block.state);
  const untilSeconds = block.atSeconds + seconds;
  const found: AnnouncedFreeze[] = [];
  const add = (by: AnnouncedFreeze['by'], { overdueAt, announcedAt }: DueTimes) => {
    if (announcedAt !== undefined)
      found.push({ by, announcedAt, freezableAt: Math.max(overdueAt, announcedAt + seconds) });
  };
  const { atSeconds, timeoutSeconds, progress, state } = block;
  const at = { atSeconds, timeoutSeconds, untilSeconds, limit: MOST };
  for (const accountId of new Set(await store.listRequestsDue(progress, at))) {
    const due = await reader.requestDue(accountId, state);
    if (due !== undefined) add({ accountId }, due);
  }
  const { next, count } = await reader.waitingDeposits(state);
  for (let deposit = next; deposit < Math.min(count, next + MOST); deposit += 1) {
    const due = await reader.depositDue(deposit, state);
    if (due.overdueAt > untilSeconds) break;
    add({ deposit }, due);
  }
  return found.sort((one, other) => one.freezableAt - other.freezableAt);
}

/** For people. */
export function describeFreeze({ by, freezableAt }: AnnouncedFreeze, atSeconds: number): string {
  const left = Math.floor(freezableAt - atSeconds);
  return `announced: ${left > 0 ? `in ${left} s` : 'now'} anyone may freeze the contract by ${causeText(by)}`;
}
