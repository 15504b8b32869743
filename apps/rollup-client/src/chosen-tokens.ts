import type { RollupContract } from '@tetrad/rollup-client';
import { OptionError } from '@tetrad/service';

/**
 * The tokens of `--only`.
 *
 * @param contract - that they are of
 * @param only - ids, as they were given
 * @returns undefined where none were named: all tokens
 * @throws OptionError for one that the rollup does not have
 */
export async function chosenTokens(
  contract: Pick<RollupContract, 'tokenCount'>,
  only: readonly number[] | undefined,
): Promise<ReadonlySet<number> | undefined> {
  if (only === undefined) return undefined;
  if (only.length === 0) throw new OptionError('--only', 'names no token');
  const count = await contract.tokenCount();
  const unknown = only.find((id) => id >= count);
  if (unknown !== undefined)
    throw new OptionError('--only', `token ${unknown} is unknown: the rollup has ${count}, from 0`);
  return new Set(only);
}
