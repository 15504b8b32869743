import type { JournalStore } from '../account/journal-store.js';
import { RollupAccount } from '../account/rollup-account.js';
import type { ChainClient } from './chain-client.js';
import type { HeldAccount } from './held-account.js';
import { holdAccount } from './hold-account.js';
import { keysOf } from './holder-keys.js';
import type { RollupHolder } from './rollup-holder.js';
import { reachRollup } from './reach-rollup.js';
import type { RollupPlace } from './rollup-place.js';

/** Whose account is opened. */
export interface OpenRollupAccountParameters {
  readonly holder: RollupHolder;
  /** Opens where signed operations are kept until their fate is known: `() => openBrowserJournal('alice')`. */
  readonly openJournal: () => Promise<JournalStore>;
  /** Block of the contract's creation, or one before. */
  readonly fromBlock: number;
}

/**
 * Opens an account that is final.
 *
 * @param client - of the chain that has the contract
 * @param parameters - the rollup, the holder and its journal
 * @returns the account; `close` lets go of the journal
 * @throws OperatorError when the holder has no account yet, or the journal is of another one; as `reachRollup`
 */
export async function openRollupAccount(
  client: ChainClient,
  parameters: RollupPlace & OpenRollupAccountParameters,
): Promise<HeldAccount> {
  const { holder, openJournal, fromBlock } = parameters;
  const keys = keysOf(holder);
  const reached = await reachRollup(client, parameters);
  return holdAccount(await RollupAccount.open({ ...reached, keys, openJournal, fromBlock }));
}
