import type { BlockReference } from '@tetrad/api-node';
import { modifiedAccounts, type WorldState } from '@tetrad/node-execution';
import { RequestError, type Address, type Block } from '@tetrad/types';
import type { BlockResolver } from './block-resolver.js';

/** Accounts of one answer, and places of the two tries that are looked at for them. */
const BOUNDS = { entries: 10_000, places: 200_000 } as const;

/** Blocks whose states are compared. Without an end, the start block is compared with its parent. */
export interface ComparedBlocks {
  readonly start: BlockReference;
  readonly end: BlockReference | undefined;
}

/**
 * Accounts of the public state that blocks have changed, in the order of their hashed addresses; without an end those that
 * the start block has changed.
 *
 * @param giveWay - awaited between pieces of the work
 * @throws RequestError BLOCK_NOT_FOUND, INVALID_BLOCK_RANGE, STATE_NOT_AVAILABLE, RESPONSE_TOO_LARGE, PREIMAGE_NOT_FOUND,
 * in geth's words where it has some; as `giveWay`
 */
export async function accountsModified(
  blocks: BlockResolver,
  compared: ComparedBlocks,
  giveWay: () => Promise<void> | undefined,
): Promise<readonly Address[]> {
  const [start, end] = await find(blocks, compared);
  assertAscending(start, end);
  const [older, newer] = await Promise.all([worldAfter(blocks, start), worldAfter(blocks, end)]);
  const found = await modifiedAccounts(older, newer, { ...BOUNDS, giveWay });
  switch (found.kind) {
    case 'found':
      return found.addresses;
    case 'unnamed':
      throw new RequestError('PREIMAGE_NOT_FOUND', `no preimage found for hash ${found.hashedAddress}`);
    case 'tooMany': {
      const between = `between the blocks ${start.header.number} and ${end.header.number}`;
      const text = `more than ${BOUNDS.entries} accounts, or too much of the state, differ ${between}: ask for fewer blocks`;
      throw new RequestError('RESPONSE_TOO_LARGE', text, { limit: BOUNDS.entries });
    }
  }
}

async function find(blocks: BlockResolver, { start, end }: ComparedBlocks): Promise<[Block, Block]> {
  const first = await blocks.get(start, `start block ${nameOf(start)} not found`);
  if (end !== undefined) return [first, await blocks.get(end, `end block ${nameOf(end)} not found`)];
  const { number, parentHash } = first.header;
  const parent = await blocks.get({ blockHash: parentHash }, `block ${number} has no parent`);
  return [parent, first];
}

function nameOf(reference: BlockReference): string {
  return typeof reference === 'object' ? reference.blockHash : String(reference);
}

function assertAscending(start: Block, end: Block): void {
  const [from, to] = [start.header.number, end.header.number];
  if (from < to) return;
  const text = `start block height (${from}) must be less than end block height (${to})`;
  throw new RequestError('INVALID_BLOCK_RANGE', text);
}

function worldAfter(blocks: BlockResolver, { hash }: Block): Promise<WorldState> {
  return blocks.world({ blockHash: hash });
}
