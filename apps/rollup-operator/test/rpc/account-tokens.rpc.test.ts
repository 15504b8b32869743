import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accountRules, rollupHolderMethods } from '@tetrad/api-rollup-operator';
import { readJson, writeJson } from '@tetrad/rpc';
import { createTokenKey, issueToken, tokenPublicKey } from '@tetrad/service/issue-token';
import { SignJWT } from 'jose';
import { createPrivateKey } from 'node:crypto';
import { AccountHolder } from '../account-holder.js';
import { TOKEN, compose, startOperator, type RpcAnswer, type RunningOperator } from '../running-operator.js';

const ADDRESS = '0xca843569e3427144cead5e4d5999a3d0ccf92b8e';
const [alice, bob, carol] = [1, 2, 3].map((id) => new AccountHolder(id, 70 + id)) as [
  AccountHolder,
  AccountHolder,
  AccountHolder,
];
const tokenKey = createTokenKey();
let folder: string;
let open: RunningOperator;
let guarded: Awaited<ReturnType<typeof compose>>;
const guardedLog: string[] = [];
/** Operation hashes of Bob, and the index of the order that Carol got from him. */
const made: Record<'order' | 'redemption' | 'transfer' | 'consent', string> = {
  order: '',
  redemption: '',
  transfer: '',
  consent: '',
};
const TERMS = { tokenId: TOKEN, minimum: 10n, untilHeight: 100, secret: 77n };
let toCarol: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-accounts-'));
  const keyFile = join(folder, 'token-key.pub');
  await writeFile(keyFile, tokenPublicKey(tokenKey));
  open = await startOperator();
  for (const holder of [alice, bob, carol]) await open.result('pazkp_createAccount', holder.registration());
  for (const { id } of [alice, bob]) await open.deposit(id, TOKEN, 1_000n);
  await open.finalize();
  for (const holder of [alice, bob]) {
    const hash = await redeemFirst(holder);
    if (holder === bob) made.redemption = hash;
  }
  made.order = await sent('pazkp_createMoneyOrder', bob.payment(carol, TOKEN, 5n, 2));
  made.transfer = await sent('pazkp_createOutboundTransfer', bob.transfer(ADDRESS, TOKEN, 7n, 3));
  made.consent = await sent('rollup_setConsent', bob.consent(TERMS, 4));
  await open.finalize();
  await open.result('rollup_createDirectMoneyOrder', alice.directPayment(bob, TOKEN, 12n, 2));
  await open.finalize();
  const record = await open.result('pazkp_findMoneyOrderCreation', [made.order]);
  toCarol = Number(record['moneyOrderTotalIndex']);
  guarded = await compose(open.databaseUrl, ['--auth-jwt-key-file', keyFile], guardedLog);
});
afterAll(async () => {
  await guarded.stop();
  await open.stop();
  await rm(folder, { recursive: true, force: true });
});

async function redeemFirst(holder: AccountHolder): Promise<string> {
  const wanted = { toAccountId: holder.id, fromTotalIndex: 0, upToHeight: 99, limit: 1 };
  const [received] = await open.store.listReceivedOrders(wanted);
  if (received === undefined) throw new Error('no deposit');
  return sent('pazkp_redeemMoneyOrder', holder.redemption(received.order, received.totalIndex, 1));
}

async function sent(method: string, params: readonly unknown[]): Promise<string> {
  return String((await open.result(method, params))['operationHash']);
}

async function call(token: string, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const response = await fetch(guarded.url, { method: 'POST', headers, body: writeJson(body) });
  return readJson(await response.text(), 64);
}

const request = (method: string, params: readonly unknown[]) => ({ jsonrpc: '2.0', id: 1, method, params });
const tokenOf = (accounts?: readonly number[]) =>
  issueToken(tokenKey, { caller: 'app', permissions: ['*'], lifetimeSeconds: 600, accounts });
const ask = async (accounts: readonly number[] | undefined, method: string, params: readonly unknown[]) =>
  (await call(await tokenOf(accounts), request(method, params))) as RpcAnswer;

/** For each method: a call for Bob, what an answer to his own token holds, and what one of Carol and Alice gets. */
interface Case {
  readonly method: keyof typeof rollupHolderMethods;
  readonly params: () => readonly unknown[];
  readonly own: unknown;
  /** The field that the refusal names, or the result. */
  readonly foreign: { readonly field: string } | { readonly result: unknown };
}

const hash = { operationHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) };
const page = (count: number) => ({
  items: Array.from({ length: count }, () => expect.objectContaining({ batchHeight: expect.any(Number) })),
});
const NONE = { result: null };
const cases: readonly Case[] = [
  {
    method: 'pazkp_createAccount',
    params: () => new AccountHolder(4, 99).registration(),
    own: undefined,
    foreign: { field: 'publicKey' },
  },
  {
    method: 'pazkp_findAccountById',
    params: () => [2],
    own: { id: 2 },
    foreign: { result: { id: 2, publicKey: bob.publicKey } },
  },
  {
    method: 'pazkp_findAccountByPublicKey',
    params: () => [bob.publicKey],
    own: { id: 2 },
    foreign: { result: { id: 2, publicKey: bob.publicKey } },
  },
  {
    method: 'pazkp_getAccountNonce',
    params: () => [2],
    own: { nonce: 4 },
    foreign: { field: 'accountId' },
  },
  {
    method: 'pazkp_getAccountState',
    params: () => [2],
    own: { balances: { 1: 1_000 } },
    foreign: { field: 'accountId' },
  },
  {
    method: 'pazkp_createMoneyOrder',
    params: () => bob.payment(alice, TOKEN, 1n, 5),
    own: hash,
    foreign: { field: 'fromAccountId' },
  },
  {
    method: 'pazkp_findMoneyOrderCreation',
    params: () => [made.order],
    own: { nonce: 2 },
    foreign: NONE,
  },
  {
    method: 'pazkp_findReceivedMoneyOrder',
    params: () => [2, 2 ** 16],
    own: null,
    foreign: { field: 'accountId' },
  },
  {
    method: 'pazkp_listMoneyOrderCreations',
    params: () => [0, 10, 2, null, 'EXECUTED', null, null],
    own: page(1),
    foreign: { field: 'fromAccountId' },
  },
  {
    method: 'pazkp_listMoneyOrdersReceived',
    params: () => [0, 10, null, 2, null, null, null],
    own: page(1),
    foreign: { field: 'toAccountId' },
  },
  {
    method: 'pazkp_redeemMoneyOrder',
    params: () => {
      const order = { fromAccountId: 1, toAccountId: 2, tokenId: TOKEN, amount: 1n, blindingFactor: 3n };
      return bob.redemption(order, 9 * 2 ** 16, 5);
    },
    own: 'MONEY_ORDER_NOT_FOUND',
    foreign: { field: 'toAccountId' },
  },
  {
    method: 'pazkp_findMoneyOrderRedemption',
    params: () => [made.redemption],
    own: { nonce: 1 },
    foreign: NONE,
  },
  {
    method: 'pazkp_listMoneyOrderRedemptions',
    params: () => [0, 10, null, 2, null, null, null],
    own: page(1),
    foreign: { field: 'toAccountId' },
  },
  {
    method: 'pazkp_createOutboundTransfer',
    params: () => bob.transfer(ADDRESS, TOKEN, 1n, 6),
    own: hash,
    foreign: { field: 'fromAccountId' },
  },
  {
    method: 'pazkp_findOutboundTransfer',
    params: () => [made.transfer],
    own: { nonce: 3 },
    foreign: NONE,
  },
  {
    method: 'pazkp_listOutboundTransferCreations',
    params: () => [0, 10, 2, null, 'EXECUTED', null, null],
    own: page(1),
    foreign: { field: 'fromAccountId' },
  },
  {
    method: 'rollup_setConsent',
    params: () => bob.consent(TERMS, 7),
    own: hash,
    foreign: { field: 'accountId' },
  },
  {
    method: 'rollup_revokeConsent',
    params: () => bob.revocation(8),
    own: hash,
    foreign: { field: 'accountId' },
  },
  {
    method: 'rollup_findConsentChange',
    params: () => [made.consent],
    own: { nonce: 4, accountId: 2, terms: { minimum: 10 } },
    foreign: NONE,
  },
  {
    method: 'rollup_listConsentChanges',
    params: () => [0, 10, 2, 'EXECUTED'],
    own: page(1),
    foreign: { field: 'accountId' },
  },
  {
    method: 'rollup_getAccountState',
    params: () => [2],
    own: { balances: { 1: 1_000 }, terms: { minimum: 10 } },
    foreign: { field: 'accountId' },
  },
  {
    method: 'rollup_createDirectMoneyOrder',
    params: () => bob.directPayment(alice, TOKEN, 1n, 9),
    own: hash,
    foreign: { field: 'fromAccountId' },
  },
  {
    method: 'rollup_listCredits',
    params: () => [0, 10, 2, null],
    own: page(1),
    foreign: { field: 'toAccountId' },
  },
];

describe('a token that is bound to accounts', () => {
  it('is checked at every method', () => {
    expect(cases.map(({ method }) => method).sort()).toEqual(Object.keys(rollupHolderMethods).sort());
    expect(Object.keys(accountRules).sort()).toEqual(Object.keys(rollupHolderMethods).sort());
  });

  it.each(cases)("at $method is not for another's account", async ({ method, params, foreign }) => {
    const { result, error } = await ask([1, 3], method, params());
    if ('result' in foreign && foreign.result === null) expect(result).toBeNull();
    else if ('result' in foreign) expect(result).toMatchObject(foreign.result as object);
    else {
      expect(error).toMatchObject({ data: { reason: 'FORBIDDEN' } });
      expect(error?.message.startsWith(`${foreign.field}: `)).toBe(true);
    }
  });

  it.each(cases.filter(({ own }) => own !== undefined))(
    'at $method is for its own account, and so is one without the claim',
    async ({ method, params, own }) => {
      for (const accounts of [[2], [1, 2], undefined]) {
        const { result, error } = await ask(accounts, method, params());
        if (own === null) expect(result).toBeNull();
        else if (typeof own === 'string') expect(error?.data?.['reason']).toBe(own);
        else expect(result).toMatchObject(own as object);
      }
    },
  );

  it('lists the redemptions of its accounts where no account is asked for, page by page', async () => {
    const redeemers = async (accounts: readonly number[] | undefined, from: number | null = null) => {
      const answer = await ask(accounts, 'pazkp_listMoneyOrderRedemptions', [
        0,
        10,
        from,
        null,
        null,
        null,
        null,
      ]);
      const { items } = answer.result as { items: { moneyOrder: { toAccountId: number } }[] };
      return items.map(({ moneyOrder }) => moneyOrder.toAccountId).sort();
    };
    expect(await redeemers(undefined)).toEqual([1, 2]);
    expect(await redeemers([2, 3])).toEqual([2]);
    expect(await redeemers([2], 0)).toEqual([2]);
    expect(await redeemers([3])).toEqual([]);
    expect(await redeemers([])).toEqual([]);
  });

  it('reads an order that its account received, and not what became of its payer', async () => {
    const received = await ask([3], 'pazkp_findReceivedMoneyOrder', [3, toCarol]);
    expect(received.result).toMatchObject({ moneyOrder: { fromAccountId: 2, amount: 5 } });
    expect((await ask([3], 'pazkp_findMoneyOrderCreation', [made.order])).result).toBeNull();
    // The account id that clients send before the hash changes nothing.
    expect((await ask([3], 'pazkp_findMoneyOrderCreation', [3, made.order])).result).toBeNull();
  });

  it('gets the same refusal for accounts that do not exist, in a batch too', async () => {
    const answers = (await call(await tokenOf([3]), [
      request('pazkp_getAccountState', [2]),
      request('pazkp_getAccountState', [77]),
      request('pazkp_getAccountState', [3]),
    ])) as RpcAnswer[];
    const refusals = answers.slice(0, 2).map(({ error }) => error?.message);
    expect(refusals).toEqual([2, 77].map((id) => `accountId: the token is not for account ${id}`));
    expect(answers[2]?.result).toMatchObject({ id: 3 });
  });

  it('with a claim that is not a list of accounts has no account', async () => {
    for (const accounts of ['*', null, [2, '3'], { all: true }]) {
      const token = await new SignJWT({ permissions: ['*'], accounts })
        .setProtectedHeader({ alg: 'EdDSA' })
        .setExpirationTime('10 minutes')
        .sign(createPrivateKey(tokenKey));
      for (const method of ['pazkp_getAccountState', 'pazkp_findAccountById']) {
        const { error } = (await call(token, request(method, [2]))) as RpcAnswer;
        expect(error?.data?.['reason']).toBe('FORBIDDEN');
      }
    }
  });
});

describe('the start', () => {
  it('without tokens says that every caller reads everything', () => {
    const text = 'no tokens are required: every caller reads every account';
    expect(open.log()).toContain(text);
    expect(guardedLog.join('')).not.toContain(text);
  });
});
