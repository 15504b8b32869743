import type { Account, AccountRecovery } from '@tetrad/rollup-state';
import type { Address } from '@tetrad/types';
import { readHeld } from './held-amounts.js';
import type { MoveStart } from './move-file.js';
import type { MoveOptions } from './move-options.js';
import { atAddress, readMovedTotals } from './moved-totals.js';

/** Where the money of a move is, in base units of a token. */
export interface TokenPlaces {
  /** The zero address for ether. */
  readonly token: Address;
  /** Still in the rollup that is left. */
  readonly inContract: bigint;
  /** In orders below the minimum, which stay in that rollup. */
  readonly left: bigint;
  /** Paid to the address of the keys by that rollup, and not deposited. */
  readonly atAddress: bigint;
  /** Successor → deposited there. */
  readonly inSuccessors: ReadonlyMap<Address, bigint>;
}

/**
 * Reads where the money of a move is.
 *
 * @param options - which rollup, and whose
 * @param start - of the move
 * @param recovery - the account in the rollup that is left, after the latest block
 * @returns each token of which there is something; undefined while events are missing
 * @throws as `readHeld` and `readMovedTotals`
 */
export async function readPlaces(
  options: Pick<MoveOptions, 'contract' | 'fromBlock' | 'keys' | 'minimum' | 'tokens'>,
  start: MoveStart,
  recovery: AccountRecovery & { readonly own: Account },
): Promise<readonly TokenPlaces[] | undefined> {
  const { contract, keys, tokens, minimum, fromBlock } = options;
  const owner = keys.address;
  const block = await contract.client.blockNumber();
  const { amounts, left } = await readHeld(contract, recovery, { owner, tokens, minimum, fromBlock });
  const totals = await readMovedTotals(contract, start, { owner, block });
  if (totals === undefined) return undefined;
  const ofDeposits = [...totals.deposited.values()].flatMap((each) => [...each.keys()]);
  const known = new Set([...amounts.keys(), ...left.keys(), ...totals.arrived.keys(), ...ofDeposits]);
  return [...known]
    .filter((token) => start.tokens?.includes(token) ?? true)
    .map((token) => ({
      token,
      inContract: amounts.get(token) ?? 0n,
      left: left.get(token) ?? 0n,
      atAddress: atAddress(totals, token),
      inSuccessors: new Map(
        [...totals.deposited].flatMap(([address, each]) => {
          const amount = each.get(token) ?? 0n;
          return amount === 0n ? [] : [[address, amount] as const];
        }),
      ),
    }));
}
