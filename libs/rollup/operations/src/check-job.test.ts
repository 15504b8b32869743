import { describe, expect, it } from '@jest/globals';
import {
  encrypt,
  moneyOrderWords,
  multiplyGenerator,
  operationHash,
  sign,
  type JointKey,
} from '@tetrad/rollup-crypto';
import { runCheckJob, type Check } from './check-job.js';

const DOMAIN = 5n;
const SECRET = 11n;
const FACTOR = 77n;
const order = { fromAccountId: 1, toAccountId: 2, tokenId: 0, amount: 3n, blindingFactor: 4n };

/**
 * A payment to an account that was made with a key of the operator.
 * @param receiver - the key that its text is encrypted to
 */
function payment(receiver: JointKey, readers = receiver): Check {
  const ciphertext = encrypt(moneyOrderWords(order), readers, FACTOR);
  const operation = { kind: 'createMoneyOrder', order, nonce: 1, ciphertext } as const;
  return {
    operation: { ...operation, signature: sign(SECRET, operationHash(DOMAIN, operation)) },
    publicKey: multiplyGenerator(SECRET),
    encryption: { key: receiver, randomizationFactor: FACTOR },
  };
}

describe('the check of texts', () => {
  const user = multiplyGenerator(21n);
  // More than there are tables for.
  const keys = Array.from({ length: 10 }, (_, index) => ({
    user,
    operator: multiplyGenerator(BigInt(100 + index)),
  }));
  const faults = (checks: readonly Check[]) =>
    runCheckJob({ domain: DOMAIN, checks }).map(({ fault }) => fault);

  it('knows accounts of each key that the operator has had, in any order', () => {
    const checks = [...keys, ...keys].map((key) => payment(key));
    expect(faults(checks)).toEqual(checks.map(() => undefined));
  });

  it('refuses a text to another key of the operator than that of the account', () => {
    const checks = keys.map((key, index) => payment(key, keys[(index + 1) % keys.length]));
    expect(faults(checks)).toEqual(checks.map(() => 'INVALID_ENCRYPTION'));
  });
});
