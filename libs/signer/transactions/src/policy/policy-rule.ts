import type { Address } from '@tetrad/types';

/** An allowed `to` of a rule: an address, or none. */
export type AllowedRecipient = Address | 'contract-creation';

/** Whom a rule is for, and what it admits; what is absent is not limited. */
export interface PolicyRule {
  readonly name: string;
  /** Subjects of tokens; `anonymous` for callers without one. */
  readonly callers?: ReadonlySet<string> | undefined;
  readonly keys?: ReadonlySet<Address> | undefined;
  readonly methods?: ReadonlySet<string> | undefined;
  readonly chains?: ReadonlySet<bigint> | undefined;
  readonly recipients?: ReadonlySet<AllowedRecipient> | undefined;
  /** Max value in wei. */
  readonly maxValue?: bigint | undefined;
  readonly maxGas?: bigint | undefined;
  /** Wei per gas; of dynamic-fee transactions the fee cap. */
  readonly maxGasPrice?: bigint | undefined;
  /** Requests of one caller with one key, over all replicas. */
  readonly ratePerMinute?: number | undefined;
}
