import type { RollupReader } from '@tetrad/rollup-chain';
import type { RollupStore } from '@tetrad/rollup-store';

/**
 * Whether the contract has consents: read of it once, and kept in the rows, so that an operator whose chain is away can start and
 * processes that reach no chain know it.
 *
 * @param reader - of the contract
 * @param store - of the operator
 * @returns what the contract says
 * @throws ChainUnavailableError when it was never read; as `RollupReader.hasConsents`
 */
export async function readConsents(
  reader: Pick<RollupReader, 'hasConsents'>,
  store: Pick<RollupStore, 'changeConsents' | 'findConsents'>,
): Promise<boolean> {
  const known = await store.findConsents();
  if (known !== undefined) return known;
  const hasConsents = await reader.hasConsents();
  await store.changeConsents(hasConsents);
  return hasConsents;
}
