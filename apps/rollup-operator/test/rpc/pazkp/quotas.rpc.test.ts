import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountHolder } from '../../account-holder.js';
import {
  TOKEN,
  compose,
  startOperator,
  type RpcAnswer,
  type RunningOperator,
} from '../../running-operator.js';

const QUOTA = 6;
const FLAGS = ['--account-quota', String(QUOTA), '--account-quota-window', '24h'];
const DAY_MS = 86_400_000;
const METHOD = 'pazkp_createOutboundTransfer';
const ADDRESS = '0xca843569e3427144cead5e4d5999a3d0ccf92b8e';

const holders = Array.from({ length: 5 }, (_, index) => new AccountHolder(index + 1, index + 1));
const [alice, bob, carol, dave, erin] = holders as [
  ...[AccountHolder, AccountHolder, AccountHolder, AccountHolder, AccountHolder],
];

let operator: RunningOperator;
beforeAll(async () => {
  operator = await startOperator(FLAGS);
  for (const holder of holders) await operator.result('pazkp_createAccount', holder.registration());
  await operator.finalize();
});
afterAll(() => operator.stop());

const transfers = (holder: AccountHolder, count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => holder.transfer(ADDRESS, TOKEN, 1n, from + index));
const stored = async ({ id }: AccountHolder) => {
  const text = 'SELECT count(*)::int FROM operation WHERE account_id = $1 AND kind = 4';
  return (await operator.database.pool.query<{ count: number }>(text, [id])).rows[0]?.count;
};
const reasonsOf = (answers: readonly RpcAnswer[]) => answers.map(({ error }) => error?.data?.['reason']);

describe('an account whose quota is used up', () => {
  const taken = transfers(alice, QUOTA);

  it('is refused by name, with the limit and the time until it may come again, and nothing is stored', async () => {
    for (const params of taken) await operator.result(METHOD, params);
    const { error } = await operator.call(METHOD, alice.transfer(ADDRESS, TOKEN, 1n, QUOTA + 1));
    const data = { reason: 'QUOTA_EXCEEDED', limit: QUOTA, windowMs: DAY_MS };
    expect(error).toMatchObject({ code: -32005, data });
    expect(error?.message).toMatch(
      /^account 1 has had the 6 operations of 24 h; the next may come in \d+ (h|min|s)$/,
    );
    const retryAfterMs = Number(error?.data?.['retryAfterMs']);
    expect(retryAfterMs).toBeGreaterThan(0);
    expect(retryAfterMs).toBeLessThanOrEqual(DAY_MS);
    expect(await stored(alice)).toBe(QUOTA);
  });

  it('is refused for every kind of operation, and others are not', async () => {
    const payment = alice.payment(bob, TOKEN, 1n, QUOTA + 1);
    expect(await operator.rejection('pazkp_createMoneyOrder', payment)).toBe('QUOTA_EXCEEDED');
    await operator.result(METHOD, bob.transfer(ADDRESS, TOKEN, 1n, 1));
  });

  it('is answered for what it sent before: pending, rejected or executed', async () => {
    for (const params of taken) expect(await operator.call(METHOD, params)).toMatchObject({ result: {} });
    await operator.execute();
    const [first] = taken;
    const { operationHash } = await operator.result<{ operationHash: string }>(METHOD, first);
    expect(await operator.result('pazkp_findOutboundTransfer', [operationHash])).toMatchObject({
      status: 'PENDING',
      rejectionReason: null,
    });
    await operator.execute();
    expect(await stored(alice)).toBe(QUOTA);
  });

  it('is served again in the next window', async () => {
    await operator.database.pool.query(
      "UPDATE account_quota SET window_start = window_start - interval '1 day'",
    );
    const next = transfers(alice, QUOTA + 1, QUOTA + 1);
    const answers: RpcAnswer[] = [];
    for (const params of next) answers.push(await operator.call(METHOD, params));
    expect(reasonsOf(answers)).toEqual([...Array(QUOTA).fill(undefined), 'QUOTA_EXCEEDED']);
  });
});

describe('what uses up a quota', () => {
  it('is a replacement too, since its row stays', async () => {
    const replacing = Array.from({ length: QUOTA }, (_, index) =>
      carol.transfer(ADDRESS, TOKEN, BigInt(index + 1), 1),
    );
    for (const params of replacing) await operator.result(METHOD, params);
    expect(await operator.rejection(METHOD, carol.transfer(ADDRESS, TOKEN, 99n, 1))).toBe('QUOTA_EXCEEDED');
    const { rows } = await operator.database.pool.query(
      `SELECT status, amount FROM operation WHERE account_id = 3 AND status = 'PENDING'`,
    );
    expect(rows).toMatchObject([{ amount: String(QUOTA) }]);
  });

  it('is nothing that a stranger sends for the account, nor what was sent before', async () => {
    const [first, ...others] = transfers(dave, QUOTA);
    await operator.result(METHOD, first);
    for (const params of others) {
      const forged = params.map((param, place) => (place === 3 ? 2n : param));
      expect(await operator.rejection(METHOD, forged)).toBe('INVALID_ACCOUNT_SIGNATURE');
    }
    // A caller that has seen an operation may send it again.
    for (let times = 0; times < QUOTA; times += 1) {
      await operator.execute();
      await operator.result(METHOD, first);
    }
    for (const params of others) await operator.result(METHOD, params);
    expect(await stored(dave)).toBe(QUOTA);
  });
});

describe('two processes over one database', () => {
  it('give an account one quota together', async () => {
    const other = await compose(operator.databaseUrl, FLAGS);
    try {
      const calls = transfers(erin, 4 * QUOTA).map(async (params, place) => {
        const url = place % 2 === 0 ? operator.url : other.url;
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: METHOD, params: params.map(onWire) });
        const headers = { 'content-type': 'application/json' };
        return (await fetch(url, { method: 'POST', headers, body })).json() as Promise<RpcAnswer>;
      });
      const reasons = reasonsOf(await Promise.all(calls));
      expect(reasons.filter((reason) => reason === undefined)).toHaveLength(QUOTA);
      expect(reasons.filter((reason) => reason === 'QUOTA_EXCEEDED')).toHaveLength(3 * QUOTA);
      expect(await stored(erin)).toBe(QUOTA);
    } finally {
      await other.stop();
    }
  });

  const onWire = (param: unknown) => (typeof param === 'bigint' ? Number(param) : param);
});
