import { describe, expect, it } from '@jest/globals';
import { NO_CONSENT, consentHash, totalIndex } from '@tetrad/rollup-crypto';
import { formatViewKey, parseViewKey, signViewKey } from '../src/audit/view-key-file.js';
import { DisclosureError, auditViewKey, makeViewKey, type ViewKey } from '../src/index.js';
import { IdealLeafProver } from './audited-rollup.js';
import { FIRST, SECOND, creditedHistory } from './credited-history.js';

const { rollup, state, alice, bob } = creditedHistory();
const contract = rollup.contract();
const prover = new IdealLeafProver();
const common = { auditor: 'Audit Ltd', purpose: 'accounts of 2026', fromBlock: 0, prover };

const disclose = (from: number, to: number, keys = bob.keys) =>
  makeViewKey(contract, keys, { ...common, from, to, showsAllReceived: true });
const audit = (viewKey: ViewKey, keys = bob.keys) => {
  const signed = signViewKey(viewKey, keys.secretKey);
  return auditViewKey(contract, parseViewKey(formatViewKey(signed)), { verifier: prover, fromBlock: 0 });
};

describe('a view key of an account with consents', () => {
  it('opens consents, credits, and payments that were credited, and what the account has', async () => {
    const report = await audit((await disclose(1, 6)).viewKey);
    expect(
      report.operations.map((one) => [
        one.kind,
        one.totalIndex,
        ...('otherAccountId' in one ? [one.otherAccountId] : []),
        ...('amount' in one ? [one.amount] : []),
      ]),
    ).toEqual([
      ['created', totalIndex(1, 1)],
      ['consentChanged', totalIndex(2, 1)],
      ['credited', totalIndex(4, 1), alice.id, 40n],
      ['consentChanged', totalIndex(5, 0)],
      ['credited', totalIndex(5, 2), 0, 3n],
      ['sent', totalIndex(6, 0), alice.id, 7n],
      ['consentChanged', totalIndex(6, 2)],
    ]);
    expect(report.closing).toEqual({
      nonce: 4,
      redemptionIndex: 0,
      consent: NO_CONSENT,
      balances: new Map([[0, 36n]]),
    });
    expect(report.closing.balances).toEqual(state.account(bob.id)?.balances);
    expect(report.unredeemed).toEqual([]);
  });

  it('begins and ends with the consents of the time', async () => {
    const report = await audit((await disclose(4, 5)).viewKey);
    const hashOf = (terms: typeof FIRST) => consentHash(contract.domain, terms);
    expect([report.opening.consent, report.closing.consent]).toEqual([hashOf(FIRST), hashOf(SECOND)]);
    expect([...report.opening.balances, ...report.closing.balances]).toEqual([[0, 43n]]);
  });

  it('of the payer says whom it paid at once', async () => {
    const report = await audit((await disclose(4, 6, alice.keys)).viewKey, alice.keys);
    expect(report.operations).toMatchObject([
      { kind: 'sent', otherAccountId: bob.id, amount: 40n },
      { kind: 'credited', otherAccountId: bob.id, amount: 7n },
    ]);
  });

  it.each<[string, (viewKey: ViewKey) => Partial<ViewKey>]>([
    ['a credit left out', ({ credited }) => ({ credited: credited.slice(1) })],
    ['a consent left out', ({ consents }) => ({ consents: consents.slice(1) })],
    ['another consent', ({ consents }) => ({ consents: consents.map((one) => ({ ...one, consent: 5n })) })],
    [
      'a credit of another amount',
      ({ credited }) => ({ credited: credited.map((one) => ({ ...one, amount: one.amount + 1n })) }),
    ],
    [
      'a credit of another token',
      ({ credited }) => ({ credited: credited.map((one) => ({ ...one, tokenId: 1 })) }),
    ],
    [
      'a credited payment to another account',
      ({ sent }) => ({ sent: sent.map((one) => ({ ...one, toAccountId: 9 })) }),
    ],
    [
      'a credited payment of another amount',
      ({ sent }) => ({ sent: sent.map((one) => ({ ...one, amount: 6n })) }),
    ],
  ])('is refused with %s', async (_, change) => {
    const { viewKey } = await disclose(1, 6);
    await expect(audit({ ...viewKey, ...change(viewKey) })).rejects.toThrow(DisclosureError);
  });
});
