import { describe, expect, it } from '@jest/globals';
import { parseAddress } from '@tetrad/types';
import fc from 'fast-check';
import { decide, type PolicyRequest, type PolicyTransaction } from './decide.js';
import { parsePolicy } from './policy-file.js';

const KEY = parseAddress(`0x${'11'.repeat(20)}`);
const FRIEND = parseAddress(`0x${'22'.repeat(20)}`);
const STRANGER = parseAddress(`0x${'33'.repeat(20)}`);

const policy = parsePolicy(`
  [[rule]]
  name = "payroll"
  callers = ["alice"]
  keys = ["${KEY}"]
  methods = ["eth_sendTransaction", "eth_sign"]
  chains = [2018]
  recipients = ["${FRIEND}"]
  max-value = 100
  max-gas = 90000
  max-gas-price = 5

  [[rule]]
  name = "deployer"
  callers = ["bob", "anonymous"]
  recipients = ["contract-creation"]

  [[rule]]
  name = "shadowed"
  callers = ["alice"]
`);
const transaction: PolicyTransaction = {
  chainId: 2018n,
  to: FRIEND,
  value: 100n,
  gas: 90_000n,
  gasPrice: 5n,
};
const request: PolicyRequest = { caller: 'alice', key: KEY, method: 'eth_sendTransaction', transaction };
const withTransaction = (changes: Partial<PolicyTransaction>) => ({
  ...request,
  transaction: { ...transaction, ...changes },
});

describe('a policy', () => {
  it('allows what its rule admits, up to the caps', () => {
    expect(decide(policy, request)).toMatchObject({ allowed: true, rule: { name: 'payroll' } });
  });

  it.each<[string, PolicyRequest, string]>([
    ['chains', { ...request, method: 'eth_sign', transaction: undefined }, 'payroll'],
    ['methods', { ...request, method: 'eth_signTypedData_v4' }, 'payroll'],
    ['chains', withTransaction({ chainId: 1n }), 'payroll'],
    ['recipients', withTransaction({ to: STRANGER }), 'payroll'],
    ['recipients', withTransaction({ to: undefined }), 'payroll'],
    ['max-value', withTransaction({ value: 101n }), 'payroll'],
    ['max-gas', withTransaction({ gas: 90_001n }), 'payroll'],
    ['max-gas-price', withTransaction({ gasPrice: 6n }), 'payroll'],
    ['recipients', { ...request, caller: 'bob' }, 'deployer'],
    ['recipients', { ...request, caller: undefined }, 'deployer'],
    ['caller-or-key', { ...request, caller: 'mallory' }, 'none'],
  ])('refuses by %s, and names the rule', (limit, refused, rule) => {
    expect(decide(policy, refused)).toEqual({ allowed: false, rule, limit });
  });

  it('continues to the next rule only for another caller or key', () => {
    expect(decide(policy, { ...request, key: STRANGER })).toMatchObject({
      allowed: true,
      rule: { name: 'shadowed' },
    });
  });

  it('allows nothing but transactions by a rule with a limit on transactions', () => {
    const limits = [
      'chains = [2018]',
      'recipients = ["contract-creation"]',
      'max-value = 5',
      'max-gas = 5',
      'max-gas-price = 5',
    ];
    const others = ['callers = ["alice"]', `keys = ["${KEY}"]`, 'rate-per-minute = 9'];
    const methods = ['eth1_sign', 'eth_sign', 'eth_signTypedData', 'eth_signTypedData_v4'];
    fc.assert(
      fc.property(
        fc.subarray(limits),
        fc.subarray(others),
        fc.constantFrom(...methods),
        (chosen, rest, method) => {
          const asked = { caller: 'alice', key: KEY, method };
          const text = ['[[rule]]', 'name = "a"', ...chosen, ...rest].join('\n');
          const decision = decide(parsePolicy(text), asked);
          if (chosen.length === 0) expect(decision).toMatchObject({ allowed: true });
          else expect(decision).toEqual({ allowed: false, rule: 'a', limit: chosen[0]?.split(' ')[0] });
          const named = parsePolicy(
            ['[[rule]]', 'name = "b"', `methods = ["${method}"]`, ...rest].join('\n'),
          );
          expect(decide(named, asked).allowed).toBe(true);
          expect(decide(named, { ...asked, method: 'eth_sendTransaction' }).allowed).toBe(false);
        },
      ),
    );
  });

  it('does not take a caller whose name is anonymous for one without a name', () => {
    const named = (caller: string | undefined, text: string) =>
      decide(parsePolicy(`[[rule]]\nname = "a"\n${text}`), { caller, key: KEY, method: 'eth_sign' }).allowed;
    expect(named(undefined, 'callers = ["anonymous"]')).toBe(true);
    expect(named('anonymous', 'callers = ["anonymous"]')).toBe(false);
    expect(named('anonymous', '')).toBe(true);
    expect(named('', 'callers = ["anonymous"]')).toBe(false);
  });

  it('never allows more when a cap is lowered', () => {
    const amount = fc.bigInt({ min: 0n, max: 1_000n });
    fc.assert(
      fc.property(amount, amount, amount, (value, cap, lower) => {
        const capped = (max: bigint) => parsePolicy(`[[rule]]\nname = "a"\nmax-value = ${max}`);
        const asked = withTransaction({ value });
        const low = lower < cap ? lower : cap;
        expect(decide(capped(cap), asked).allowed).toBe(value <= cap);
        if (decide(capped(low), asked).allowed) expect(decide(capped(cap), asked).allowed).toBe(true);
      }),
    );
  });
});
