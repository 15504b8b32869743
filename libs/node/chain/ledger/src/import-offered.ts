import type { Block } from '@tetrad/types';
import { isFaultOfBlock } from './fault-of-block.js';
import type { Ledger } from './ledger.js';

/** Outcome of a block offered by a peer. */
export type OfferOutcome =
  { readonly kind: 'imported' | 'known' } | { readonly kind: 'invalid'; readonly reason: string };

/**
 * Imports a block unless the chain has it.
 * @throws whatever is not the fault of the block
 */
export async function importOffered(
  ledger: Pick<Ledger, 'findBlock' | 'head' | 'importBlock'>,
  block: Block,
): Promise<OfferOutcome> {
  const known = await findKnown(ledger, block);
  if (known !== undefined) return known;
  try {
    await ledger.importBlock(block);
    return { kind: 'imported' };
  } catch (error) {
    if (!isFaultOfBlock(error)) throw error;
    // The head may have moved while it waited for its turn.
    return (await findKnown(ledger, block)) ?? { kind: 'invalid', reason: error.message };
  }
}

async function findKnown(
  ledger: Pick<Ledger, 'findBlock' | 'head'>,
  { hash, header }: Block,
): Promise<OfferOutcome | undefined> {
  if (header.number > ledger.head().header.number) return undefined;
  const own = await ledger.findBlock(header.number);
  if (own?.hash === hash) return { kind: 'known' };
  return { kind: 'invalid', reason: `block ${header.number} is final and another one` };
}
