import type { AcceptanceBounds } from '@tetrad/rollup-store';
import { defineOptions, durationOption, integerOption, option, type ConfigOf } from '@tetrad/service';
import { systemClock } from '@tetrad/types';

const ACCEPTANCE = 'Acceptance';

/** Units of the rollup below which amounts are dust. Of ether it is 1,000 gwei unless --ether-unit says otherwise: less than the gas of an operation. */
export const DUST_LIMIT = 1_000;

/** What of what account holders ask is taken (docs/adr/0251). */
export const acceptanceOptions = defineOptions({
  minOrderAmount: option(integerOption({ min: 1, max: Number.MAX_SAFE_INTEGER }), {
    group: ACCEPTANCE,
    description:
      'Smallest amount of a money order, in units of the rollup. Open orders below it, deposits included, may be skipped by their receiver, which forfeits them. The same for all processes.',
    default: DUST_LIMIT,
  }),
  minTransferAmount: option(integerOption({ min: 1, max: Number.MAX_SAFE_INTEGER }), {
    group: ACCEPTANCE,
    description:
      'Smallest amount of a transfer out, in units of the rollup; all that an account has of a token is taken whatever it is. The same for all processes.',
    default: DUST_LIMIT,
  }),
  accountQuota: option(integerOption({ min: 0, max: 1_000_000_000 }), {
    group: ACCEPTANCE,
    description:
      'Operations of an account that are stored in --account-quota-window at most; 0 for no quota. The same for all processes.',
    default: 2_000,
  }),
  accountQuotaWindow: option(durationOption({ min: 1_000 }), {
    group: ACCEPTANCE,
    description:
      'Window of --account-quota. Windows begin at multiples of it in universal time, those of the default at midnight. The same for all processes.',
    default: 86_400_000,
  }),
  maxPending: option(integerOption({ min: 4, max: 10_000_000 }), {
    group: ACCEPTANCE,
    description:
      'Operations of accounts that wait to be executed at most, and a quarter as many registrations. From the half on accounts share it. The same for all processes.',
    default: 10_000,
  }),
});

type AcceptanceConfig = ConfigOf<typeof acceptanceOptions>;

export function acceptanceBounds(config: AcceptanceConfig): AcceptanceBounds {
  const { accountQuota: operations, accountQuotaWindow: windowMs, maxPending } = config;
  return { quota: operations === 0 ? undefined : { operations, windowMs }, maxPending, clock: systemClock };
}
