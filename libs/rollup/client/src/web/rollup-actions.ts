import type { ChainClient } from './chain-client.js';
import {
  exitRollupAccount,
  type ExitRollupAccountParameters,
  type UnitsOfToken,
} from './exit-rollup-account.js';
import { getRollupToken, type TokenOfRollup } from './get-rollup-token.js';
import type { HeldAccount } from './held-account.js';
import { openRollupAccount, type OpenRollupAccountParameters } from './open-rollup-account.js';
import { registerRollupAccount, type RegisteredStatus } from './register-rollup-account.js';
import type { RollupHolder } from './rollup-holder.js';
import type { RollupPlace } from './rollup-place.js';

/** What a client of a chain gets by `rollupActions`; no interface, which `extend` of viem would not take. */
export type RollupActions = {
  /** Asks the operator for an account of the holder. */
  registerRollupAccount(parameters: { readonly holder: RollupHolder }): Promise<RegisteredStatus>;
  /** Opens an account that is final. */
  openRollupAccount(parameters: OpenRollupAccountParameters): Promise<HeldAccount>;
  /** Takes all that an account holds out by the chain alone, whatever the operator does. */
  exitRollupAccount(parameters: ExitRollupAccountParameters): Promise<readonly UnitsOfToken[]>;
  /** What a token of the rollup is on the chain. */
  getRollupToken(parameters: { readonly tokenId: number }): Promise<TokenOfRollup>;
};

/**
 * Actions of a holder of a rollup, for `client.extend` of viem.
 *
 * @param place - operator and contract
 * @returns what extends a client of the chain that has the contract
 */
export function rollupActions(place: RollupPlace): (client: ChainClient) => RollupActions {
  return (client) => ({
    registerRollupAccount: (parameters) => registerRollupAccount(client, { ...place, ...parameters }),
    openRollupAccount: (parameters) => openRollupAccount(client, { ...place, ...parameters }),
    exitRollupAccount: (parameters) => exitRollupAccount(client, { ...place, ...parameters }),
    getRollupToken: (parameters) => getRollupToken(client, { ...place, ...parameters }),
  });
}
