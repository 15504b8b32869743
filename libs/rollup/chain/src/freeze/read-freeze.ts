import type { Address, Hash } from '@tetrad/types';
import type { RollupCodec } from '../contract/rollup-contract.js';
import type { EthereumClient } from '../ethereum-client.js';
import { RollupReader } from '../rollup-reader.js';
import { findAnnouncement, type FreezeCaller } from './find-announcement.js';
import { causeText, freezeCauseOf, type FreezeCause } from './freeze-call.js';

/** Who ended a rollup, and by what. */
export interface FreezeHistory {
  readonly frozen: FreezeCaller;
  /** Undefined when another contract called the rollup in the transaction. */
  readonly cause: FreezeCause | undefined;
  /** Undefined when that is not known, or another contract called the rollup in the transaction. */
  readonly announced: FreezeCaller | undefined;
}

/** A contract on a chain. */
export interface FrozenContract {
  readonly client: EthereumClient;
  readonly codec: RollupCodec;
  readonly contract: Address;
}

/**
 * Reads who froze a contract, and who had announced it.
 *
 * @param rollup - which is frozen
 * @param frozenBy - the transaction that has the event `Frozen`
 * @param fromBlock - the block of the contract's creation, or an earlier one
 * @returns undefined when the client does not have the transaction
 * @throws ChainUnavailableError; ChainRpcError
 */
export async function readFreeze(
  { client, codec, contract }: FrozenContract,
  frozenBy: Hash,
  fromBlock: number,
): Promise<FreezeHistory | undefined> {
  const transaction = await client.transaction(frozenBy);
  const { from, to, input, blockNumber } = transaction ?? {};
  const block = blockNumber ?? undefined;
  if (!from || block === undefined) return undefined;
  const frozen = { from, transaction: frozenBy, block };
  const cause = to === contract && input ? freezeCauseOf(codec, 'freeze', input) : undefined;
  if (cause === undefined) return { frozen, cause, announced: undefined };
  const atSeconds = await announcedAt(new RollupReader(client, codec, contract), cause);
  const announced =
    atSeconds === undefined
      ? undefined
      : await findAnnouncement(
          { client, codec, contract },
          { cause, atSeconds },
          { from: fromBlock, to: block },
        );
  return { frozen, cause, announced };
}

/** A frozen contract keeps it: nothing takes the place of a request any more. */
async function announcedAt(reader: RollupReader, cause: FreezeCause): Promise<number | undefined> {
  const due =
    'deposit' in cause ? await reader.depositDue(cause.deposit) : await reader.requestDue(cause.accountId);
  return due?.announcedAt;
}

/**
 * For people.
 *
 * @param history - of a contract that is frozen
 * @returns a sentence without its end
 */
export function freezeText({ frozen, cause, announced }: FreezeHistory): string {
  const by = cause === undefined ? 'through another contract' : `by ${causeText(cause)}`;
  const before = announced === undefined ? '' : `, which ${callerText(announced)} had announced`;
  return `${callerText(frozen)} froze it ${by}${before}`;
}

/**
 * For people.
 * @param caller - of the contract
 * @returns who it is, and where that can be seen
 */
export const callerText = ({ from, transaction, block }: FreezeCaller): string =>
  `${from} (transaction ${transaction} of block ${block})`;
