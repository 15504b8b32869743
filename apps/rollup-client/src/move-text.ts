import {
  rollupTokens,
  type Awaited,
  type MoveProgress,
  type RollupContract,
  type RollupToken,
  type TokenPlaces,
} from '@tetrad/rollup-client';
import { ZERO_ADDRESS } from '@tetrad/types';
import { decimalText, describeAmount } from './amount.js';
import { exitDescriber, exitJson } from './exit-text.js';
import { jsonText } from './record-text.js';

const ETHER_DECIMALS = 18;

/** A JSON object for programs about each step. */
export function moveJson(progress: MoveProgress): string {
  return progress.kind === 'account' ? exitJson(progress) : jsonText(progress);
}

/**
 * A line for people about each step.
 *
 * @param contract - that is left
 * @param successor - where the money goes
 * @returns the text of a step
 * @throws as the contracts
 */
export async function moveDescriber(
  contract: RollupContract,
  successor: RollupContract,
): Promise<(progress: MoveProgress) => string> {
  const [before, after] = [await rollupTokens(contract), await rollupTokens(successor)];
  const ofExit = await exitDescriber(contract);
  return (progress) => {
    switch (progress.kind) {
      case 'began':
        return `the move begins after block ${progress.block} and batch ${progress.height}`;
      case 'foreignDeposit':
        return `deposit ${progress.index} for the account is by ${progress.from}, and waits: it is not of the move`;
      case 'registering':
        return `asking the operator of ${successor.address} for the account`;
      case 'registered':
        return `account ${progress.id} of ${successor.address} is of these keys`;
      case 'settled':
        return `an operation of before is ${progress.isAccepted ? 'accepted' : 'refused'}: ${progress.hash}`;
      case 'awaiting':
        return AWAITED[progress.what];
      case 'redemption':
        return `redeeming ${amountOf(before, progress)}: ${progress.hash}`;
      case 'transfer':
        return `withdrawing ${amountOf(before, progress)}: ${progress.hash}`;
      case 'approving':
        return `letting the successor take ${amountOf(after, progress)}`;
      case 'depositing':
        return `depositing ${amountOf(after, progress)}`;
      case 'deposited':
        return `deposited ${amountOf(after, progress)}`;
      default:
        return ofExit(progress);
    }
  };
}

const AWAITED: Readonly<Record<Awaited, string>> = {
  operations: 'waiting until operations of the account are final',
  deposits: 'waiting until a batch takes deposits of the account',
  account: 'waiting until the account is in a batch of the successor',
  transactions: 'waiting for transactions of the address from before',
  events: 'waiting until the Ethereum client has the events of the latest blocks',
};

function amountOf(
  tokens: readonly RollupToken[],
  { tokenId, amount }: { readonly tokenId: number; readonly amount: bigint },
): string {
  const token = tokens[tokenId];
  return token === undefined ? `${amount} units of token ${tokenId}` : describeAmount(amount, token);
}

/**
 * Where the money of a move is, a line for each place.
 *
 * @param contract - address of the rollup that is left
 * @param places - of a token
 * @returns lines, none for a token of which there is nothing
 */
export function placeLines(
  contract: string,
  { token, inContract, left, atAddress, inSuccessors }: TokenPlaces,
): string[] {
  const text = (amount: bigint) =>
    token === ZERO_ADDRESS
      ? `${decimalText(amount, ETHER_DECIMALS)} ether`
      : `${amount} base units of ${token}`;
  return [
    ...(inContract > 0n ? [`${text(inContract)} still in the rollup at ${contract}`] : []),
    ...(left > 0n ? [`${text(left)} in orders below --minimum left in the rollup at ${contract}`] : []),
    ...(atAddress > 0n ? [`${text(atAddress)} at the address of the key file, not deposited`] : []),
    ...[...inSuccessors].map(([successor, amount]) => `${text(amount)} deposited into ${successor}`),
  ];
}

/** The same for programs. */
export function placesJson(places: readonly TokenPlaces[]): string {
  return jsonText({
    places: places.map(({ inSuccessors, ...others }) => ({
      ...others,
      inSuccessors: Object.fromEntries(inSuccessors),
    })),
  });
}
