import { expect, it } from '@jest/globals';
import { loadConfig, parseCommandLine } from '@tetrad/service';
import { acceptanceBounds, acceptanceOptions } from './acceptance-options.js';

const configOf = (flags: readonly string[]) =>
  loadConfig({
    service: 'rollup-operator',
    options: acceptanceOptions,
    environment: {},
    commandLine: parseCommandLine([...flags], acceptanceOptions),
  });

it('by default amounts are above dust, and an account has a fifth of what a contract makes its operator prove', () => {
  const config = configOf([]);
  expect(config).toMatchObject({ minOrderAmount: 1_000, minTransferAmount: 1_000 });
  expect(acceptanceBounds(config)).toMatchObject({
    quota: { operations: 2_000, windowMs: 86_400_000 },
    maxPending: 10_000,
  });
});

it('a quota of 0 turns the quota off, and keeps the other bounds', () => {
  expect(acceptanceBounds(configOf(['--account-quota', '0', '--max-pending', '50']))).toMatchObject({
    quota: undefined,
    maxPending: 50,
  });
});

it.each([
  ['--max-pending', '3'],
  ['--account-quota', '-1'],
  ['--account-quota-window', '1ms'],
  ['--min-transfer-amount', '0'],
])('refuses %s %s by name', (flag, value) => {
  expect(() => configOf([`${flag}=${value}`])).toThrow(flag);
});
