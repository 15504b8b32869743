import { describe, expect, it } from '@jest/globals';
import { ZERO_ADDRESS, silentMetrics } from '@tetrad/types';
import { heldAccounts, type LoadedKeys } from './held-accounts.js';
import { measuredAccounts } from './measured-accounts.js';

const SIGNATURE = { r: new Uint8Array(32), s: new Uint8Array(32), parity: 0 as const };

/** Accounts over stubbed keys; `scheduled` has the timers of waiting requests. */
function setting(keys: Partial<LoadedKeys> = {}) {
  const scheduled: (() => void)[] = [];
  const clock = {
    schedule: (_ms: number, run: () => void) => {
      scheduled.push(run);
      return () => void scheduled.splice(scheduled.indexOf(run), 1);
    },
  };
  const loaded: LoadedKeys = {
    list: () => [ZERO_ADDRESS],
    has: () => true,
    whenDecided: () => undefined,
    sign: async () => SIGNATURE,
    ...keys,
  };
  return { accounts: heldAccounts(loaded, { waitMs: 500, clock }), scheduled };
}

describe('accounts whose keys are held', () => {
  it('sign', async () => {
    const { accounts } = setting();
    expect(await accounts.sign(ZERO_ADDRESS, new Uint8Array(32))).toBe(SIGNATURE);
    expect(accounts.whenDecided?.(ZERO_ADDRESS)).toBeUndefined();
  });

  it('are refused when the key went in the meantime', async () => {
    const { accounts } = setting({ sign: async () => undefined });
    await expect(accounts.sign(ZERO_ADDRESS, new Uint8Array(32))).rejects.toMatchObject({
      code: 'SIGNING_FROM_IS_NOT_AN_UNLOCKED_ACCOUNT',
    });
  });
});

describe('a key that is being loaded', () => {
  it('is waited for', async () => {
    let decide: () => void = () => undefined;
    const { accounts, scheduled } = setting({ whenDecided: () => new Promise((done) => (decide = done)) });
    const waiting = accounts.whenDecided?.(ZERO_ADDRESS);
    decide();
    await waiting;
    expect(scheduled).toEqual([]);
  });

  it('is waited for a bounded time', async () => {
    const { accounts, scheduled } = setting({ whenDecided: () => new Promise(() => undefined) });
    const waiting = accounts.whenDecided?.(ZERO_ADDRESS);
    scheduled[0]?.();
    await expect(waiting).rejects.toMatchObject({ code: 'KEY_LOADING' });
  });

  it('is not waited for when a vault has to give it', async () => {
    const { accounts, scheduled } = setting({ whenDecided: () => 'unavailable' });
    await expect(accounts.whenDecided?.(ZERO_ADDRESS)).rejects.toMatchObject({ code: 'KEY_LOADING' });
    expect(scheduled).toEqual([]);
  });
});

describe('measured accounts', () => {
  it('count signatures, and look-ups of keys that are not held', async () => {
    const counted: string[] = [];
    const metrics = {
      ...silentMetrics,
      counter: (name: string) => ({
        ...silentMetrics.counter('', ''),
        increment: () => void counted.push(name),
      }),
      histogram: (name: string) => ({
        ...silentMetrics.histogram('', ''),
        observe: () => void counted.push(name),
      }),
    };
    const { accounts } = setting({ has: (account) => account !== ZERO_ADDRESS });
    const measured = measuredAccounts(accounts, metrics);
    expect(measured.has(ZERO_ADDRESS)).toBe(false);
    await measured.sign(ZERO_ADDRESS, new Uint8Array(32));
    expect(counted).toEqual([
      'signing_secp256k1_missing_identifier_count_total',
      'signing_secp256k1_signing_duration',
    ]);
  });
});
