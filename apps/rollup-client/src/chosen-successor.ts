import {
  checkStatement,
  presentSuccessor,
  readStatement,
  type MoveFile,
  type RollupContract,
} from '@tetrad/rollup-client';
import { OptionError } from '@tetrad/service';
import type { Address } from '@tetrad/types';

/** What the options say of the successor. */
interface SuccessorConfig {
  readonly to: Address | undefined;
  /** File of a statement by the operator of the rollup that is left. */
  readonly statement: string | undefined;
}

/**
 * Where a move goes: what the user names, what the operator has signed, or what a move that has begun goes to.
 *
 * @param config - options of the command
 * @param contract - that is left
 * @param file - of the move
 * @returns address of the successor
 * @throws OptionError when none is named, or two; StatementError for one that the operator does not say
 */
export async function chosenSuccessor(
  { to, statement }: SuccessorConfig,
  contract: RollupContract,
  file: Pick<MoveFile, 'start'>,
): Promise<Address> {
  if (statement === undefined) {
    const successor = to ?? (file.start === undefined ? undefined : presentSuccessor(file.start));
    if (successor === undefined) throw new OptionError('--to', 'is required, or --statement');
    return successor;
  }
  const stated = await checkStatement(contract, await readStatement(statement));
  if (to !== undefined && to !== stated)
    throw new OptionError('--to', `is ${to}, and the statement is for ${stated}`);
  return stated;
}
