import type { DisagreementsView, agreementMethods } from '@tetrad/api-node';
import type { RpcClient } from '@tetrad/rpc';
import { durationOption, integerOption, option } from '@tetrad/service';
import { pause, systemClock } from '@tetrad/types';
import { addressOption } from '../options/address-option.js';

export interface BlocksToCompare {
  /** First block that is compared anew; undefined for those that have been. */
  readonly since: number | undefined;
  /** Milliseconds in which the other parties may answer. */
  readonly wait: number;
}

const QUESTION = 'Question';

/**
 * The options of a command that compares blocks first.
 * @param descriptions - what the contract and the first block mean to the command
 */
export const comparedOptions = (descriptions: { readonly contract: string; readonly since: string }) => ({
  contract: option(addressOption(), { group: QUESTION, description: descriptions.contract }),
  since: option(integerOption({ min: 0, max: Number.MAX_SAFE_INTEGER }), {
    group: QUESTION,
    description: descriptions.since,
    unit: 'block',
  }),
  wait: option(durationOption({ min: 0, max: 86_400_000 }), {
    group: QUESTION,
    description: 'Time in which the other parties may answer.',
    default: 60_000,
  }),
});

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
