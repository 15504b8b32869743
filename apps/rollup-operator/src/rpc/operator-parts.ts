import type { Point } from '@tetrad/rollup-crypto';
import type {
  AccountDirectory,
  CheckPool,
  OperationAcceptance,
  OrderProofs,
  Refusals,
} from '@tetrad/rollup-operations';
import type { RollupStore } from '@tetrad/rollup-store';
import type { AccessReader } from './bind-to-accounts.js';

/** What the handlers are built from. */
export interface OperatorParts {
  readonly store: RollupStore;
  readonly pool: CheckPool;
  readonly refusals: Refusals;
  readonly accounts: AccountDirectory;
  readonly acceptance: OperationAcceptance;
  readonly proofs: OrderProofs;
  readonly operatorKey: Point;
  /** Which rollup it is (rollupDomain). */
  readonly domain: bigint;
  readonly accessOf: AccessReader;
}
