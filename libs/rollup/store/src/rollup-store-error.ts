import { OperatorError } from '@tetrad/types';

/** The database does not hold what it must, or holds another rollup than the one that is asked for. */
export class RollupStoreError extends OperatorError {
  override readonly name = 'RollupStoreError';
}
