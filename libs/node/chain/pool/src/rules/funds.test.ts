import { describe, expect, it } from '@jest/globals';
import { account, entry, rejection } from '../../test/pool-entries.js';
import { funds } from './funds.js';
import type { PoolEntry } from '../pool-entry.js';

const check = (one: PoolEntry, waiting?: { cost: bigint; at?: PoolEntry }, of = account({ balance: 100n })) =>
  rejection(() =>
    funds.check({
      entry: one,
      account: of,
      queue: waiting === undefined ? undefined : { cost: waiting.cost, at: () => waiting.at },
    }),
  );

describe('a sender', () => {
  it('pays for value and gas', () => {
    expect(check(entry({ value: 100n }))).toBe('accepted');
    expect(check(entry({ value: 101n }))).toEqual([
      'INSUFFICIENT_FUNDS',
      'insufficient funds for gas * price + value: balance 100, tx cost 101, overshot 1',
    ]);
    expect(check(entry({ fees: { type: 'legacy', gasPrice: 1n } }))[0]).toBe('INSUFFICIENT_FUNDS');
    const none = { entry: entry({ value: 1n }), account: undefined, queue: undefined };
    expect(rejection(() => funds.check(none))[0]).toBe('INSUFFICIENT_FUNDS');
  });

  it('pays for its other waiting transactions', () => {
    expect(check(entry({ value: 60n }), { cost: 60n })).toEqual([
      'INSUFFICIENT_FUNDS',
      'insufficient funds for gas * price + value: balance 100, queued cost 60, tx cost 60, overshot 20',
    ]);
  });

  it('does not pay for the replaced one', () => {
    const replaced = entry({ value: 60n });
    expect(check(entry({ value: 60n }), { cost: 60n, at: replaced })).toBe('accepted');
  });
});
