import type { Address, Hash } from '@tetrad/types';
import type { RollupCodec } from '../contract/rollup-contract.js';
import type { EthereumClient } from '../ethereum-client.js';
import type { EthereumBlock, EthereumFullBlock } from '../ethereum-methods.js';
import type { BlockRange } from '../page-rule.js';
import { freezeCauseOf, isSameCause, type FreezeCause } from './freeze-call.js';

/** A transaction that announced a freeze, or made it. */
export interface FreezeCaller {
  /** Who sent it, and signed it. */
  readonly from: Address;
  readonly transaction: Hash;
  readonly block: number;
}

export interface FreezeParts {
  readonly client: Pick<EthereumClient, 'block' | 'fullBlock' | 'receipt'>;
  readonly codec: Pick<RollupCodec, 'parseCall'>;
  readonly contract: Address;
}

/** Blocks of one second that are looked into: more than a chain makes in it. */
const MAX_BLOCKS = 64;
/** Calls that say the same, of which one succeeded: anyone may send others that fail. */
const MAX_CALLS = 64;

/**
 * Finds who announced a freeze. The contract has no event for it, and keeps the time of the block: blocks of that time are searched for
 * by halving the range, and read.
 *
 * @param parts - the chain, and the contract
 * @param announced - by what, and the Unix time that the contract keeps
 * @param range - blocks in which it was
 * @returns undefined when another contract called this one in the transaction, or the client does not have the blocks any more
 * @throws ChainUnavailableError; ChainRpcError
 */
export async function findAnnouncement(
  parts: FreezeParts,
  announced: { readonly cause: FreezeCause; readonly atSeconds: number },
  range: BlockRange,
): Promise<FreezeCaller | undefined> {
  const { client } = parts;
  let block = await firstBlockAt(client, announced.atSeconds, range);
  for (let looked = 0; looked < MAX_BLOCKS && block?.timestamp === announced.atSeconds; looked += 1) {
    const found = await callerIn(parts, announced.cause, await client.fullBlock(block.hash));
    if (found !== undefined) return found;
    block = block.number < range.to ? await client.block(block.number + 1) : undefined;
  }
  return undefined;
}

/** A block that the client does not have any more is before all that it has. */
async function firstBlockAt(
  client: Pick<EthereumClient, 'block'>,
  atSeconds: number,
  range: BlockRange,
): Promise<EthereumBlock | undefined> {
  let { from, to } = range;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const block = await client.block(middle);
    if (block === undefined || block.timestamp < atSeconds) from = middle + 1;
    else to = middle;
  }
  return client.block(from);
}

async function callerIn(
  { client, codec, contract }: FreezeParts,
  cause: FreezeCause,
  block: EthereumFullBlock | undefined,
): Promise<FreezeCaller | undefined> {
  const isCall = ({ to, input }: EthereumFullBlock['transactions'][number]) => {
    const said = to === contract && input ? freezeCauseOf(codec, 'announce', input) : undefined;
    return said !== undefined && isSameCause(said, cause);
  };
  for (const { hash, from } of block?.transactions.filter(isCall).slice(0, MAX_CALLS) ?? []) {
    const receipt = await client.receipt(hash);
    if (receipt?.status === 1 && from) return { from, transaction: hash, block: receipt.blockNumber };
  }
  return undefined;
}
