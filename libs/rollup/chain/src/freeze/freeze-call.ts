import { hexFromBytes } from '@tetrad/types';
import type { RollupCodec } from '../contract/rollup-contract.js';

/** The request, or the deposit, that was not served, by which the contract is frozen. */
export type FreezeCause = { readonly accountId: number } | { readonly deposit: number };

/** What is done by a call of the contract. */
export type FreezeAct = 'announce' | 'freeze';

/**
 * Reads a call that announces a freeze, or makes it.
 *
 * @param codec - of the contract
 * @param act - which of the two is looked for
 * @param input - of a transaction to the contract, from anyone
 * @returns by what; undefined for any other call
 */
export function freezeCauseOf(
  codec: Pick<RollupCodec, 'parseCall'>,
  act: FreezeAct,
  input: Uint8Array,
): FreezeCause | undefined {
  const call = codec.parseCall(hexFromBytes(input));
  if (call === undefined) return undefined;
  const place = Number(call.values[0]);
  if (call.name === `${act}ByRequest`) return { accountId: place };
  return call.name === `${act}ByDeposit` ? { deposit: place } : undefined;
}

/**
 * For people.
 * @param cause - of a freeze
 * @returns its name in a sentence
 */
export const causeText = (cause: FreezeCause): string =>
  'deposit' in cause ? `deposit ${cause.deposit}` : `the request of account ${cause.accountId}`;

/** Whether both are the same. */
export const isSameCause = (one: FreezeCause, other: FreezeCause): boolean =>
  causeText(one) === causeText(other);
