import type { DisagreementsView, agreementMethods } from '@tetrad/api-node';
import type { RpcClient } from '@tetrad/rpc';
import { pause, systemClock } from '@tetrad/types';

export interface BlocksToCompare {
  /** First block that is compared anew; undefined for those that have been. */
  readonly since: number | undefined;
  /** Milliseconds in which the other parties may answer. */
  readonly wait: number;
}

const LOOK_MS = 1_000;

/** Waits until the node has stated the blocks that it had, and nothing is pending. */
export async function compareBlocks(
  client: RpcClient<typeof agreementMethods>,
  { since, wait }: BlocksToCompare,
): Promise<DisagreementsView> {
  const before = await client.call('privacy_listDisagreements', []);
  if (since !== undefined) await client.call('privacy_compareSince', [since]);
  const endMs = systemClock.now() + wait;
  for (;;) {
    if (since !== undefined) await pause(systemClock, LOOK_MS);
    const found = await client.call('privacy_listDisagreements', since === undefined ? [] : [since]);
    const isBehind = (found.stated ?? -1) < (before.stated ?? -1);
    const isOpen = found.disagreements.some(({ state }) => state === 'pending' || state === 'comparing');
    if ((!isBehind && !isOpen) || systemClock.now() >= endMs) return found;
    if (since === undefined) await pause(systemClock, LOOK_MS);
  }
}
