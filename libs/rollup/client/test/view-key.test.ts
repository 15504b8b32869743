import { describe, expect, it } from '@jest/globals';
import { totalIndex } from '@tetrad/rollup-crypto';
import { formatViewKey, parseViewKey } from '../src/audit/view-key-file.js';
import { auditViewKey, makeViewKey, type AuditReport, type SignedViewKey } from '../src/index.js';
import { IdealLeafProver, blockOf, timeOf } from './audited-rollup.js';
import { RECIPIENT, auditedHistory } from './audited-history.js';

const { rollup, state, alice, bob } = auditedHistory();
const contract = rollup.contract();
const prover = new IdealLeafProver();
const common = { auditor: 'Audit Ltd', purpose: 'accounts of 2026', fromBlock: 0, prover };

const disclose = (from: number, to: number, showsAllReceived = true) =>
  makeViewKey(contract, alice.keys, { ...common, from, to, showsAllReceived });
/** As the auditor reads it. */
const audit = (signed: SignedViewKey): Promise<AuditReport> =>
  auditViewKey(contract, parseViewKey(formatViewKey(signed)), { verifier: prover, fromBlock: 0 });

const briefly = ({ operations }: AuditReport) =>
  operations.map((one) => [
    one.kind,
    one.totalIndex,
    ...('otherAccountId' in one ? [one.otherAccountId] : []),
    ...('amount' in one ? [one.amount] : []),
  ]);

describe('a view key', () => {
  it('opens what the account did in the period, what it was sent, and what it had before and after', async () => {
    const report = await audit(await disclose(5, 8));
    expect(briefly(report)).toEqual([
      ['sent', totalIndex(5, 0), 2, 60n],
      ['withdrawn', totalIndex(5, 1), 30n],
      ['received', totalIndex(5, 2), 2, 5n],
      ['redeemed', totalIndex(6, 0), 2, 7n],
      ['received', totalIndex(6, 2), 0, 9n],
      ['redeemed', totalIndex(7, 0), 2, 5n],
      ['received', totalIndex(8, 0), 2, 1n],
    ]);
    expect(report.opening).toEqual({
      nonce: 2,
      redemptionIndex: totalIndex(2, 1),
      consent: 0n,
      balances: new Map([
        [0, 100n],
        [7, 30n],
      ]),
    });
    expect(report.closing).toMatchObject({ nonce: 6, balances: new Map([[0, 52n]]) });
    expect(report.unredeemed).toEqual([
      {
        totalIndex: totalIndex(6, 2),
        fromAccountId: 0,
        tokenId: 0,
        amount: 9n,
        // In a batch after that of the order that was redeemed last, batch 5.
        state: 'open',
      },
      { totalIndex: totalIndex(8, 0), fromAccountId: 2, tokenId: 0, amount: 1n, state: 'open' },
    ]);
    expect(report).toMatchObject({
      auditor: 'Audit Ltd',
      purpose: 'accounts of 2026',
      accountId: 1,
      isReceivedComplete: true,
      neighbours: { before: timeOf(blockOf(4)), after: timeOf(blockOf(9)) },
    });
    expect(report.operations[1]).toMatchObject({
      toEthereumAddress: RECIPIENT,
      nonce: 4,
      blockNumber: blockOf(5),
      timestamp: timeOf(blockOf(5)),
    });
  });

  it('begins with the account itself, and needs no batch of the account in the period', async () => {
    const whole = await audit(await disclose(1, rollup.height));
    expect(whole.operations[0]).toMatchObject({ kind: 'created', totalIndex: totalIndex(1, 0) });
    expect([whole.opening.nonce, whole.opening.balances.size]).toEqual([0, 0]);
    expect(whole.closing.balances).toEqual(state.account(1)?.balances);
    expect(whole.neighbours).toEqual({ before: undefined, after: undefined });
    const quiet = await audit(await disclose(4, 4));
    expect(briefly(quiet)).toEqual([['received', totalIndex(4, 0), 2, 7n]]);
    expect(quiet.closing).toEqual(quiet.opening);
  });

  it.each(Array.from({ length: 9 }, (_, index) => index + 1))(
    'of batch %s alone joins that of the batch before',
    async (height) => {
      const report = await audit(await disclose(height, height));
      if (height === 1) return expect(report.opening.nonce).toBe(0);
      const before = await audit(await disclose(1, height - 1));
      expect(report.opening).toEqual(before.closing);
      expect(report.roots.opening).toBe(before.roots.closing);
    },
  );

  it('says less of received orders where that all are there cannot be shown', async () => {
    expect(await audit(await disclose(5, 8, false))).toMatchObject({ isReceivedComplete: false });
    const turns = auditedHistory('turns').rollup.contract();
    await expect(
      makeViewKey(turns, alice.keys, { ...common, from: 5, to: 8, showsAllReceived: true }),
    ).rejects.toThrow('anyone may submit batches');
  });

  it('holds no word of an operation outside the period, no blinding factor of the account and no key', async () => {
    const text = formatViewKey(await disclose(6, 8));
    const hex = (word: bigint) => word.toString(16).padStart(64, '0');
    const own = state.account(1)!;
    for (const secret of [own.blindingFactor, alice.keys.secretKey, alice.keys.encryptionKey])
      expect(text).not.toContain(hex(secret));
    const outside = (await disclose(1, 9)).viewKey;
    const orders = [...outside.sent, ...outside.received].filter(
      ({ at }) => at < 6 * 65536 || at >= 9 * 65536,
    );
    // Two of them were redeemed in the period.
    const redeemed = new Set([totalIndex(4, 0), totalIndex(5, 2)]);
    const others = orders.filter(({ at }) => !redeemed.has(at));
    expect(others.length).toBeGreaterThan(1);
    for (const { blindingFactor } of others)
      if (blindingFactor > 1_000n) expect(text).not.toContain(hex(blindingFactor));
  });

  it('is refused for a period that is not there, or before the account', async () => {
    for (const [from, to] of [
      [0, 3],
      [5, 4],
      [3, 10],
    ] as const)
      await expect(disclose(from, to)).rejects.toThrow('the period must be from 1 to 9');
    const stranger = { ...alice.keys, encryptionKey: 5n };
    await expect(
      makeViewKey(contract, stranger, { ...common, from: 1, to: 2, showsAllReceived: true }),
    ).rejects.toThrow('these keys have no account up to batch 2');
    expect(bob.id).toBe(2);
  });
});
