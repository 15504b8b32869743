import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createRollupKeyFile, type RollupKeys } from '@tetrad/rollup-client';
import { totalIndex } from '@tetrad/rollup-crypto';
import { until } from '@tetrad/testkit';
import { describeWithAnvil } from '../../../libs/rollup/chain/test/anvil-chain.js';
import { holderCommands } from './holder-commands.js';
import { LossyLink } from './lossy-link.js';
import { UNIT, startOperatorOnAnvil, type OperatorOnAnvil } from './operator-on-anvil.js';

const RECIPIENT = `0x${'5e'.repeat(20)}`;

describeWithAnvil('the commands of an account holder', () => {
  let operator: OperatorOnAnvil;
  let folder: string;
  let link: LossyLink;
  let alice: RollupKeys;
  let bob: RollupKeys;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tetrad-rollup-'));
    await writeFile(join(folder, 'password'), 'correct horse\n', { mode: 0o600 });
    const make = (name: string) =>
      createRollupKeyFile(join(folder, name), 'correct horse', { scryptN: 1024 });
    [operator, alice, bob] = await Promise.all([startOperatorOnAnvil(), make('alice'), make('bob')]);
    for (const { address } of [alice, bob])
      await operator.chain.ask('anvil_setBalance', [address, `0x${(10n ** 20n).toString(16)}`]);
    link = await LossyLink.open(operator.url);
  });

  afterAll(async () => {
    await link?.close();
    await operator?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const { tetrad, done, records } = holderCommands(() => ({ operator, link, folder }));
  /** Batches become final meanwhile. */
  const whileFinalizing = async (running: ReturnType<typeof tetrad>) => {
    let isOver = false;
    void running.finally(() => (isOver = true));
    await until(async () => {
      await operator.finalize();
      return isOver;
    });
    return running;
  };
  it('make keys and an account, which is ready when its batch is final', async () => {
    const made = await done('carol', 'account new');
    expect(made[0]).toMatch(/^public key 0x[0-9a-f]{128}$/);
    expect(await tetrad('carol', 'account new')).toMatchObject({ code: 1 });
    expect((await tetrad('alice', 'account show')).warned).toContain(
      'no account in the rollup, or it is not final',
    );
    expect(await done('alice', 'account register')).toEqual(['REGISTERED']);
    expect(await done('bob', 'account register')).toEqual(['REGISTERED']);
    expect(await operator.finalize()).toBe(1);
    expect(await done('alice', 'account register --wait')).toEqual([
      'PUBLIC_KEY_ALREADY_EXISTS',
      'account 1',
    ]);
    expect(await done('bob', 'account show')).toEqual([
      'account 2 after batch 1: nonce 0, redemption index 0',
    ]);
  });

  it('deposit, and redeem what was deposited once it is proved', async () => {
    const said = await done('alice', 'deposit --amount 0.000001ether');
    expect(said.at(-1)).toMatch(
      /^deposited 1000 units of token 0 \(0\.000001 ether\) for account 1 in block /,
    );
    await done('alice', 'deposit --amount 50 --account 2');
    await operator.finalize();
    expect((await tetrad('alice', `redeem ${totalIndex(2, 1)}`)).warned).toContain(
      `order ${totalIndex(2, 0)} comes first`,
    );
    await done('alice', `redeem ${totalIndex(2, 0)}`);
    expect((await tetrad('alice', 'redeem')).warned).toContain('no order to redeem');
    await done('bob', 'redeem --all');
    await operator.finalize();
    expect((await done('alice', 'account show'))[1]).toBe('  1000 units of token 0 (0.000001 ether)');
    expect(await done('bob', 'account show --json')).toEqual([
      JSON.stringify({
        id: 2,
        nonce: 1,
        redemptionIndex: totalIndex(2, 1),
        height: 3,
        balances: { 0: '50' },
      }),
    ]);
  });

  it('wait for a deposit, and receive all that there is', async () => {
    const waiting = tetrad('carol', 'account register --wait');
    const carolId = await whileFinalizing(waiting);
    expect(carolId.said.at(-1)).toBe('account 3');
    const deposits = await whileFinalizing(
      tetrad('alice', 'deposit --account 3 --amount 90 --wait --timeout 60s'),
    );
    expect([deposits.code, deposits.said.at(-1)]).toEqual([
      0,
      expect.stringMatching(/^received {2}order \d+ {2}from 0 to 3 {2}90 units of token 0 {2}batch \d+$/),
    ]);
    for (const amount of [1, 80, 70]) await done('alice', `deposit --account 3 --amount ${amount}`);
    await operator.finalize();
    expect((await done('carol', 'receive --most 1')).at(-1)).toBe('redeemed 1 orders, and more wait');
    await operator.finalize();
    // The operator has no minimum here, and lets no order be lost.
    expect(await tetrad('carol', 'receive --forfeit-below 2')).toMatchObject({
      code: 1,
      warned: expect.stringMatching(/order \d+ of 1 units cannot be forfeited/),
    });
    expect((await done('carol', 'receive')).at(-1)).toBe('redeemed 3 orders');
    await operator.finalize();
    expect(await done('carol', 'receive')).toEqual(['redeemed 0 orders']);
    expect((await done('carol', 'account show'))[1]).toContain('241 units of token 0');
  });

  it('receive each order as it comes as long as they follow, and can do other things meanwhile', async () => {
    const controller = new AbortController();
    const said: string[] = [];
    // No look without a notice within the time of a test.
    const following = tetrad(
      'carol',
      'receive --follow --interval 1h --json',
      { TETRAD_ROLLUP_CLIENT_OPERATOR_URL: operator.url },
      { signal: controller.signal, said },
    );
    for (const [place, amount] of [5, 6].entries()) {
      await done('alice', `deposit --account 3 --amount ${amount}`);
      await operator.finalize();
      await until(async () => said.length > place);
    }
    expect(said.map((text) => JSON.parse(text) as unknown)).toMatchObject(
      [5, 6].map((amount) => ({
        moneyOrder: { amount: String(amount) },
        hash: expect.stringMatching(/^0x/),
      })),
    );
    await operator.finalize();
    expect((await done('carol', 'account show'))[1]).toContain('252 units of token 0');
    controller.abort();
    expect(await following).toMatchObject({ code: 0, warned: '' });
    expect(await tetrad('carol', 'receive --follow --wait')).toMatchObject({
      code: 2,
      warned: expect.stringContaining('--wait: cannot be used together with --follow'),
    });
  });

  it('watch and wait by notices, without another look', async () => {
    const direct = { TETRAD_ROLLUP_CLIENT_OPERATOR_URL: operator.url };
    const controller = new AbortController();
    const said: string[] = [];
    const watching = tetrad('carol', 'watch --interval 1h --json', direct, {
      signal: controller.signal,
      said,
    });
    await until(async () => said.some((text) => text.includes('"state"')));
    const known = said.length;
    const deposit = await whileFinalizing(tetrad('alice', 'deposit --account 3 --amount 7 --wait', direct));
    expect(deposit).toMatchObject({ code: 0, warned: '' });
    await until(async () => said.length > known);
    expect(JSON.parse(said[known] as string)).toMatchObject({
      kind: 'received',
      moneyOrder: { amount: '7' },
    });
    controller.abort();
    expect(await watching).toMatchObject({ code: 0, warned: '' });
    const received = await whileFinalizing(tetrad('carol', 'receive --wait', direct));
    expect([received.code, received.said.at(-1)]).toEqual([0, 'redeemed 1 orders']);
    expect(received.said.at(-2)).toMatch(/^final in batch \d+, block \d+$/);
  });

  it('see each credit as long as they follow, and those of before from where they say', async () => {
    await done('carol', 'consent set --minimum 20');
    await operator.finalize();
    const controller = new AbortController();
    const said: string[] = [];
    const following = tetrad(
      'carol',
      'receive --follow --interval 1h --json',
      { TETRAD_ROLLUP_CLIENT_OPERATOR_URL: operator.url },
      { signal: controller.signal, said },
    );
    const credits = () => said.map((text) => JSON.parse(text) as Record<string, unknown>);
    // An order is redeemed whenever it was made: once it is, the credits that follow are those of "from now on".
    for (const [place, amount] of [10, 30, 9, 31].entries()) {
      await done('alice', `deposit --account 3 --amount ${amount}`);
      await operator.finalize();
      await until(async () => said.length > place);
    }
    expect(credits()).toMatchObject([
      { moneyOrder: { amount: '10' }, hash: expect.stringMatching(/^0x/) },
      { toAccountId: 3, fromAccountId: 0, amount: '30' },
      { moneyOrder: { amount: '9' }, hash: expect.stringMatching(/^0x/) },
      { toAccountId: 3, fromAccountId: 0, amount: '31' },
    ]);
    controller.abort();
    expect(await following).toMatchObject({ code: 0, warned: '' });
    await operator.finalize();
    expect((await done('carol', 'account show'))[1]).toContain('339 units of token 0');
    const again = new AbortController();
    const repeated: string[] = [];
    const from = Number(credits()[1]?.['totalIndex']) + 1;
    const once = tetrad(
      'carol',
      `receive --follow --interval 1h --credits-from ${from}`,
      { TETRAD_ROLLUP_CLIENT_OPERATOR_URL: operator.url },
      { signal: again.signal, said: repeated },
    );
    await until(async () => repeated.length > 0);
    again.abort();
    expect(await once).toMatchObject({ code: 0, warned: '' });
    expect(repeated).toEqual([expect.stringMatching(/^credit \d+ {2}from 0 {2}31 units of token 0/)]);
    await done('carol', 'consent revoke');
    await operator.finalize();
    expect(await tetrad('carol', 'receive --credits-from 1')).toMatchObject({
      code: 2,
      warned: expect.stringContaining('--credits-from: needs --follow'),
    });
  });

  it('pay once, whatever is lost on the way', async () => {
    link.fate = 'is answered, and the answer is lost';
    const lost = await tetrad('alice', 'send --to 2 --amount 400');
    expect([lost.code, lost.warned]).toEqual([3, expect.stringContaining('is not known')]);
    link.fate = 'passes';
    const again = await tetrad('alice', 'send --to 2 --amount 400');
    expect([again.code, again.warned]).toEqual([3, expect.stringContaining('with nonce 2 is accepted')]);
    expect(await records('alice', 'sent')).toHaveLength(1);

    link.fate = 'is lost on the way';
    expect((await tetrad('alice', `withdraw --to ${RECIPIENT} --amount 30`)).code).toBe(3);
    expect((await tetrad('alice', `withdraw --to ${RECIPIENT} --amount 30`)).code).toBe(3);
    const { open } = JSON.parse(await readFile(join(folder, 'alice.journal'), 'utf8')) as { open: unknown[] };
    expect(open).toHaveLength(1);
    expect(await records('alice', 'withdrawn')).toHaveLength(0);
    link.fate = 'passes';
    const settled = await tetrad('alice', `withdraw --to ${RECIPIENT} --amount 30`);
    expect([settled.code, settled.warned]).toEqual([3, expect.stringContaining('with nonce 3 is accepted')]);
    expect(await records('alice', 'withdrawn')).toMatchObject([
      { nonce: 3, amount: '30', status: 'PENDING' },
    ]);

    const { code, said } = await whileFinalizing(tetrad('bob', 'send --to 1 --amount 7 --wait'));
    expect([code, said.at(-1)]).toEqual([0, expect.stringMatching(/^final in batch \d+, block \d+$/)]);
    expect(BigInt(await operator.chain.ask<string>('eth_getBalance', [RECIPIENT, 'latest']))).toBe(
      30n * UNIT,
    );
  });

  it('say what was refused or rejected, with the code of a failure', async () => {
    expect(await tetrad('alice', 'send --to 77 --amount 1')).toMatchObject({
      code: 1,
      warned: expect.stringContaining('unknown account 77'),
    });
    expect(await tetrad('alice', 'send --to 2 --amount 1 --token 5')).toMatchObject({
      code: 1,
      warned: expect.stringContaining('token 5 is unknown: the rollup has 1, from 0'),
    });
    for (const amount of ['0', '-5', '1.5', '18446744073709551616', 'x'])
      expect([amount, (await tetrad('alice', `send --to 2 --amount=${amount}`)).code]).toEqual([amount, 2]);
    const doubtful: readonly (readonly [line: string, doubt: string])[] = [
      ['send --to 2 --amount 5000', 'the account has 570 units'],
      ['send --to 1 --amount 1', 'the recipient is the account itself'],
      [`withdraw --to 0x${'00'.repeat(20)} --amount 1`, 'the recipient is the zero address'],
      [`withdraw --to ${operator.contract} --amount 1`, 'the recipient is the rollup contract'],
      [`withdraw --to ${RECIPIENT} --amount 5000`, 'the account has 570 units'],
    ];
    for (const [line, doubt] of doubtful)
      expect(await tetrad('alice', line)).toMatchObject({
        code: 1,
        said: [],
        warned: expect.stringContaining(doubt),
      });
    const [sent] = await done('alice', 'send --to 2 --amount 5000 --yes --json');
    expect(JSON.parse(sent ?? '')).toEqual({ hash: expect.stringMatching(/^0x[0-9a-f]{64}$/), nonce: 4 });
    await operator.finalize();
    expect((await records('alice', 'sent --status REJECTED'))[0]).toMatchObject({
      nonce: 4,
      rejectionReason: 'BALANCE_TOO_LOW',
    });
    expect(await tetrad('alice', 'list received --status PENDING')).toMatchObject({ code: 2 });
  });

  it('list, watch, recover and rebuild what there is', async () => {
    expect(await records('bob', 'received')).toMatchObject([
      { moneyOrder: { fromAccountId: 0, amount: '50' } },
      { moneyOrder: { fromAccountId: 1, amount: '400' } },
    ]);
    const watched = await done('bob', 'watch --duration 1500 --interval 200 --json');
    expect(watched.map((text) => (JSON.parse(text) as { kind: string }).kind)).toEqual([
      'received',
      'received',
      'state',
    ]);
    const history = await done('alice', 'account recover');
    expect(history.map((text) => text.split('  ')[1])).toEqual([
      'created',
      'received',
      'redeemed',
      'sent',
      'withdrawn',
      'received',
      undefined,
      expect.stringContaining('570 units of token 0'),
    ]);
    const rebuilt = JSON.parse((await done('alice', 'rebuild --json'))[0] ?? '') as Record<string, unknown>;
    const height = await operator.store.finalHeight();
    expect(rebuilt).toMatchObject({ isSame: true, height, contractHeight: height, accounts: 3 });
    const batch = await operator.store.findBatch(height);
    expect(rebuilt['stateRoot']).toBe(`0x${batch?.roots?.state.toString(16).padStart(64, '0')}`);
  });

  it('compare what was rebuilt with the rows of the operator, and name what differs', async () => {
    const { databaseUrl, database, store } = operator;
    const withRows = { TETRAD_ROLLUP_CLIENT_DATABASE_URL: databaseUrl };
    const same = await tetrad('alice', 'rebuild', withRows);
    expect([same.code, same.warned, same.said.at(-1)]).toEqual([0, '', 'isSameInStore   true']);
    const height = await store.finalHeight();
    const change = (sql: string) => database.pool.query(sql);
    await change("UPDATE batch SET orders_root = decode(repeat('05', 32), 'hex') WHERE height = 1");
    await change(
      "UPDATE tree_node SET hash = decode(repeat('05', 32), 'hex') WHERE level = 0 AND tree = 1 AND index = 2",
    );
    await change(`UPDATE batch SET height = height + 100 WHERE height = ${height}`);
    const other = await tetrad('alice', 'rebuild', withRows);
    expect(other.code).toBe(1);
    expect(other.warned.split('\n')).toEqual([
      'batch 1 has other orders in the store',
      `batch ${height} is not in the store`,
      `batch ${height + 100} is final in the store, and the contract is at ${height}`,
      'account 2 has another leaf in the store',
    ]);
    const elsewhere = { ...withRows, TETRAD_ROLLUP_CLIENT_CONTRACT: RECIPIENT };
    expect((await tetrad('alice', 'rebuild', elsewhere)).warned).toContain('no rollup contract at');
  });
});
