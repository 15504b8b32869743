import type { Point } from '@tetrad/rollup-crypto';
import type { Address } from '@tetrad/types';

/** Which rollup the rows are of. */
export interface RollupIdentity {
  readonly chainId: bigint;
  readonly contract: Address;
  /** The operator's half of the joint keys of new accounts. */
  readonly operatorKey: Point;
  /** Operations of a batch when the database was made; each batch has its own size, so this may change. */
  readonly batchSize: number;
}
