import type { BlockNumberOrTag, BlockReference } from '@tetrad/api-node';
import { UnknownStateRootError, type BlockContext, type WorldState } from '@tetrad/node-execution';
import { RefusalError, type Block } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';

/**
 * Turns what clients call a block into a block or a state.
 *
 * `safe` and `finalized` are the head: a block is final once it is committed. `pending` has no header of its own
 * before it is sealed, so that reads of blocks give the head for it; its state is that of the block in the making.
 */
export class BlockResolver {
  constructor(private readonly parts: Pick<NodeParts, 'ledger' | 'consensus'>) {}

  find(reference: BlockReference): Promise<Block | undefined> {
    const { ledger } = this.parts;
    if (typeof reference === 'object') return ledger.findBlock(reference.blockHash);
    if (typeof reference === 'number') return ledger.findBlock(reference);
    return reference === 'earliest' ? ledger.findBlock(0) : Promise.resolve(ledger.head());
  }

  /** Fails: RefusalError BLOCK_NOT_FOUND, with geth's text where the method has no text of its own. */
  async get(reference: BlockReference, notFound = 'header not found'): Promise<Block> {
    const block = await this.find(reference);
    if (block === undefined) throw new RefusalError('BLOCK_NOT_FOUND', notFound);
    return block;
  }

  /** A height within the chain. */
  async numberOf(reference: BlockNumberOrTag): Promise<number> {
    if (typeof reference === 'number') return reference;
    return reference === 'earliest' ? 0 : this.parts.ledger.head().header.number;
  }

  /** The state after the block, to read or to try things in. Fails: RefusalError; `notFound` as in `get`. */
  async world(reference: BlockReference = 'latest', notFound?: string): Promise<WorldState> {
    const { ledger, consensus } = this.parts;
    if (reference === 'pending' && consensus !== undefined) return consensus.pendingWorld();
    try {
      return await ledger.worldAt(await this.get(reference, notFound));
    } catch (error) {
      if (error instanceof UnknownStateRootError)
        throw new RefusalError('STATE_NOT_AVAILABLE', error.message);
      throw error;
    }
  }

  /** The state after the block with the context in which a call on top of it runs. */
  async simulation(
    reference: BlockReference = 'latest',
  ): Promise<{ world: WorldState; block: BlockContext }> {
    const block = await this.get(reference);
    const world = await this.world(reference);
    const context = this.parts.ledger.contextOf(block.header);
    if (reference !== 'pending') return { world, block: context };
    return { world, block: { ...context, number: context.number + 1, timestamp: context.timestamp + 1 } };
  }
}
