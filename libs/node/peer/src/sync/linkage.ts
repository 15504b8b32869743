import type { Block, Hash } from '@tetrad/types';

/** The linkage rule that the blocks break: each follows the one before, the first follows the parent. */
export function brokenLink(
  blocks: readonly Block[],
  parent: { readonly number: number; readonly hash: Hash },
): 'number' | 'parent' | undefined {
  let before = parent;
  for (const { hash, header } of blocks) {
    if (header.number !== before.number + 1) return 'number';
    if (header.parentHash !== before.hash) return 'parent';
    before = { number: header.number, hash };
  }
  return undefined;
}
