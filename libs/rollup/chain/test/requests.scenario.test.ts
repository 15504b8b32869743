import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { compile } from '@tetrad/compilers';
import type { Address } from '@tetrad/types';
import { EthereumClient, RollupReader } from '../src/index.js';
import { ANNOUNCEMENT, RATE, TIMEOUT } from './agreeing-rollup.js';
import { describeWithAnvil, startChain, type TestChain } from './anvil-chain.js';
import { sourcesOf } from './evm-contract.js';
import { GameRollup } from './game-rollup.js';
import { requestedOperation } from './requested-operation.js';

const ACCEPTED = { status: '0x1' };

describeWithAnvil('requests', () => {
  let chain: TestChain;
  let game: GameRollup;
  let [payer, stranger, to]: Address[] = [];
  let snapshot: string;

  beforeAll(async () => {
    chain = await startChain();
    [, payer, stranger, to] = chain.accounts as [Address, Address, Address, Address];
  });
  afterAll(() => chain?.stop());
  beforeEach(async () => {
    game = await GameRollup.deploy(chain);
    await game.fund(payer!, 1, 600n);
    await game.fund(payer!, 2, 400n);
    snapshot = await chain.ask('evm_snapshot');
  });

  const ask = (name: string, values: readonly unknown[], from = stranger!) =>
    game.rollup.send(from, name, values);
  const request = (id: number, amount: bigint) =>
    ask('requestTransfer', game.transferRequest(id, { to: to!, amount }));
  const announce = (id: number) => ask('announceByRequest', [id]);
  const freeze = (id: number) => ask('freezeByRequest', [id]);
  it('carry an operation that the operator makes from the event alone', async () => {
    const outcome = await request(1, 600n);
    const before = BigInt(await chain.ask<string>('eth_getBalance', [to, 'latest']));
    expect(await game.submit([requestedOperation(game, outcome)])).toMatchObject(ACCEPTED);
    expect(BigInt(await chain.ask<string>('eth_getBalance', [to, 'latest']))).toBe(before + 600n * 10n ** 9n);
    expect(await game.overdueAt(1)).toBe(0);
  });

  it('are read by the operator, with what it promised', async () => {
    const client = new EthereumClient({ url: chain.url, timeoutMs: 30_000 });
    const reader = new RollupReader(client, game.rollup.codec, game.rollup.contract);
    try {
      expect(await reader.servingTerms()).toEqual({
        stallTimeoutSeconds: TIMEOUT,
        requestsPerTimeout: RATE,
        depositsPerTimeout: RATE,
        tokens: 1,
      });
      expect([await reader.isFrozen(), await reader.overdueAt(1)]).toEqual([false, undefined]);
      expect([await reader.requestDue(1), await reader.announcementSeconds()]).toEqual([
        undefined,
        ANNOUNCEMENT,
      ]);
      await request(1, 600n);
      const due = await reader.overdueAt(1);
      expect(due).toBe((await game.rollup.now()) + TIMEOUT);
      expect(await reader.requestDue(1)).toEqual({ overdueAt: due, announcedAt: undefined });
      await game.rollup.passUntil(due!);
      await announce(1);
      const announcedAt = await game.rollup.now();
      expect(await reader.requestDue(1)).toEqual({ overdueAt: due, announcedAt });
      await game.rollup.passUntil(announcedAt + ANNOUNCEMENT);
      await ask('freezeByRequest', [1]);
      expect(await reader.isFrozen()).toBe(true);
    } finally {
      await client.close();
    }
  });

  it('are overdue after the time-out, and then anyone freezes the rollup', async () => {
    await request(1, 600n);
    const due = await game.overdueAt(1);
    expect(due).toBe((await game.rollup.now()) + TIMEOUT);
    expect([await announce(1), await freeze(1)]).toEqual(['NotOverdue', 'NotAnnounced']);
    expect([await announce(2), await freeze(2)]).toEqual(['NotRequested', 'NotRequested']);
    await game.rollup.passUntil(due - ANNOUNCEMENT - 2);
    expect(await announce(1)).toBe('NotOverdue');
    await game.rollup.passUntil(due - ANNOUNCEMENT);
    expect(await announce(1)).toMatchObject(ACCEPTED);
    expect(await announce(1)).toBe('AlreadyAnnounced');
    await game.rollup.passUntil(due - 2);
    expect(await freeze(1)).toBe('NotOverdue');
    await game.rollup.passUntil(due + 5);
    const [frozen] = game.eventsOf(await freeze(1));
    const [stateRoot] = await game.rollup.read('stateRoot');
    expect(frozen).toEqual({ kind: 'frozen', height: game.height, stateRoot });
    expect(await freeze(1)).toBe('RollupFrozen');
    expect(await game.submit([game.transferOut(1, to!, 1n)])).toBe('RollupFrozen');
    expect(await game.register(payer!, 1, 5n)).toBe('RollupFrozen');
    expect(await request(2, 400n)).toBe('RollupFrozen');
    expect(await game.rollup.send(game.operator, 'addToken', [payer, 1n])).toBe('RollupFrozen');
    for (const name of ['freezeByDeposit', 'announceByDeposit', 'announceByRequest'])
      expect(await ask(name, [1])).toBe('RollupFrozen');
  });

  it('are answered by the next operation of their account, and by no other batch', async () => {
    await request(1, 600n);
    await game.make([]);
    await game.make([game.transferOut(2, to!, 1n)]);
    await game.give(payer!, 1, 5n);
    expect(await game.overdueAt(1)).not.toBe(0);
    // Another operation that the holder has signed with this nonce.
    await game.make([game.user(1).pay(game.user(2), 0, 100n, game.account(1).nonce + 1)]);
    expect(await game.overdueAt(1)).toBe(0);
    await game.rollup.passUntil((await game.rollup.now()) + 10 * TIMEOUT);
    expect(await freeze(1)).toBe('NotRequested');
  });

  it('that are overdue are answered still, as long as the rollup is not frozen', async () => {
    const outcome = await request(1, 600n);
    await game.rollup.passUntil((await game.overdueAt(1)) + TIMEOUT);
    await announce(1);
    await game.rollup.passUntil((await game.rollup.now()) + TIMEOUT);
    await game.make([requestedOperation(game, outcome)]);
    expect(await freeze(1)).toBe('NotRequested');
  });

  it('leave an operator that works a quarter of the time-out on a chain that stood still', async () => {
    const outcome = await request(1, 600n);
    // No block came meanwhile, in which the operator could answer, or anyone announce.
    await game.rollup.passUntil((await game.overdueAt(1)) + 3 * TIMEOUT);
    expect(await freeze(1)).toBe('NotAnnounced');
    await announce(1);
    await game.rollup.passUntil((await game.rollup.now()) + ANNOUNCEMENT - 5);
    expect(await freeze(1)).toBe('NotOverdue');
    expect(await game.submit([requestedOperation(game, outcome)])).toMatchObject(ACCEPTED);
    expect(await freeze(1)).toBe('NotRequested');
  });

  it('of dust that a holder signed once, and the operator asks for in its place, give way to its own', async () => {
    // Signed for the operator, which left it undone. It shows nothing but what the operator knows.
    const dust = game.transferRequest(1, { to: to!, amount: 1n });
    await ask('requestTransfer', dust, game.operator);
    const late = await game.overdueAt(1);
    expect(late - (await game.rollup.now())).toBeGreaterThan(200 * TIMEOUT);
    // Neither it nor what is hardly earlier takes the place of what is open.
    expect(await ask('requestTransfer', dust)).toBe('AlreadyRequested');
    expect(await request(1, 1n)).toBe('AlreadyRequested');
    const outcome = await request(1, 600n);
    const due = await game.overdueAt(1);
    expect(due).toBe((await game.rollup.now()) + TIMEOUT);
    expect(await ask('requestTransfer', dust, game.operator)).toBe('AlreadyRequested');
    await game.rollup.passUntil(due - ANNOUNCEMENT);
    await announce(1);
    expect(await request(1, 600n)).toBe('AlreadyRequested');
    await game.rollup.passUntil(due + 5);
    // The stock is the holder's: one that is made answers, and is used up.
    await game.make([game.transferOut(1, to!, 1n)]);
    expect(await freeze(1)).toBe('NotRequested');
    expect(
      await game.submit([requestedOperation(game, outcome)]).catch((error: Error) => error.message),
    ).toMatch(/NONCE/);
    expect(await request(1, 599n)).toMatchObject(ACCEPTED);
    expect([await announce(1), await freeze(1)]).toEqual(['NotOverdue', 'NotAnnounced']);
  });

  it('that are nearly overdue keep their place', async () => {
    await request(1, 10n);
    await game.rollup.passUntil((await game.overdueAt(1)) - ANNOUNCEMENT);
    expect(await announce(1)).toMatchObject(ACCEPTED);
    expect(await request(1, 600n)).toBe('AlreadyRequested');
    await game.rollup.passUntil((await game.rollup.now()) + ANNOUNCEMENT);
    expect(await freeze(1)).toMatchObject(ACCEPTED);
  });

  it('are one an account, and prove the state after its last operation', async () => {
    const early = game.transferRequest(1, { to: to!, amount: 500n });
    await request(1, 600n);
    expect(await request(1, 500n)).toBe('AlreadyRequested');
    await game.make([game.transferOut(1, to!, 1n)]);
    expect(await ask('requestTransfer', early)).toBe('StaleProof');
    expect(await ask('requestTransfer', [game.height, early[1]])).toBe('NotInState');
    expect(await ask('requestTransfer', game.transferRequest(1, { to: to!, amount: 1n, height: 99 }))).toBe(
      'StaleProof',
    );
    expect(await request(1, 599n)).toMatchObject(ACCEPTED);
  });

  it('with a proof of an earlier state are taken when the account has done nothing since', async () => {
    const early = game.transferRequest(1, { to: to!, amount: 500n });
    await game.make([game.transferOut(2, to!, 1n)]);
    await game.give(payer!, 1, 5n);
    const outcome = await ask('requestTransfer', early);
    expect(await game.submit([requestedOperation(game, outcome)])).toMatchObject(ACCEPTED);
  });

  it('in the block of the batch that answers count by their order in it', async () => {
    const { contract, codec } = game.rollup;
    const data = codec.encodeCall('requestTransfer', game.transferRequest(1, { to: to!, amount: 600n }));
    const { batch } = game.prepare([game.transferOut(1, to!, 1n)]);
    for (const isFirst of [true, false]) {
      await chain.ask('evm_setAutomine', [false]);
      const asked = { from: stranger!, to: contract, data, gas: '0x1000000' };
      const answered = { from: game.operator, to: contract, data: batch, gas: '0x1000000' };
      const sent: string[] = [];
      for (const call of isFirst ? [asked, answered] : [answered, asked])
        sent.push(await chain.ask('eth_sendTransaction', [{ gasPrice: '0x0', ...call }]));
      await chain.ask('evm_mine');
      await chain.ask('evm_setAutomine', [true]);
      const receipts = await Promise.all(
        sent.map((hash) => chain.ask<{ status: string }>('eth_getTransactionReceipt', [hash])),
      );
      // After the answer the proof is of an earlier state; before it the request is made, and answered.
      expect(receipts.map(({ status }) => status)).toEqual(isFirst ? ['0x1', '0x1'] : ['0x1', '0x0']);
      expect(await game.overdueAt(1)).toBe(0);
      await chain.ask('evm_revert', [snapshot]);
      snapshot = await chain.ask('evm_snapshot');
    }
  });

  it('of a redemption make the operator redeem, also past an earlier order', async () => {
    await game.give(payer!, 1, 1n);
    const open = await game.give(payer!, 1, 500n);
    const outcome = await ask('requestRedemption', game.redemptionRequest(1, open));
    const [event] = game.eventsOf(outcome);
    expect(event).toMatchObject({ kind: 'redemptionRequested', accountId: 1 });
    expect(requestedOperation(game, outcome)).toMatchObject({
      totalIndex: open.totalIndex,
      order: open.order,
    });
    expect(await game.overdueAt(1)).toBe((await game.rollup.now()) + TIMEOUT);
    await game.rollup.passUntil(await game.overdueAt(1));
    expect(await game.freeze(stranger!, 'Request', 1)).toMatchObject(ACCEPTED);
  });

  it('that cannot be made are refused', async () => {
    const other = game.transferRequest(2, { to: to!, amount: 5n });
    const [height, values] = game.transferRequest(1, { to: to!, amount: 5n });
    const changed = (place: number, value: unknown) => {
      const copy = [...(values as readonly unknown[])];
      copy[place] = value;
      return ask('requestTransfer', [height, copy]);
    };
    const [, otherValues] = other as readonly [unknown, readonly unknown[]];
    expect(await changed(2, 601n)).toBe('BalanceTooLow');
    expect(await changed(2, 6n)).toBe('InvalidSignature');
    expect(await changed(3, stranger)).toBe('InvalidSignature');
    expect(await changed(4, otherValues[4])).toBe('InvalidSignature');
    expect(await changed(1, otherValues[1])).toBe('WrongBalance');
    expect(await changed(0, otherValues[0])).toBe('WrongBalance');
    expect(await request(1, 0n)).toBe('AmountTooLow');
  });

  it('of small sums have longer: all open ones together ask for no more than the rate', async () => {
    const since = await game.rollup.now();
    // A hundredth of all that is held, and a rate of four in a time-out.
    await request(1, 10n);
    const window = (await game.overdueAt(1)) - since;
    expect(window).toBeGreaterThanOrEqual((TIMEOUT * 100) / RATE);
    expect(window).toBeLessThan((TIMEOUT * 100) / RATE + 30);
    // More money makes it later, less makes it earlier, and never before the time-out.
    await game.fund(payer!, 2, 9_000n);
    expect((await game.overdueAt(1)) - since).toBeGreaterThan(9 * window);
    await game.make([game.transferOut(2, to!, 9_390n)]);
    expect((await game.overdueAt(1)) - since).toBeLessThan(window);
    await game.make([game.transferOut(2, to!, 10n)]);
    expect(await announce(1)).toBe('NotOverdue');
  });

  it('that were made while little was held do not keep the share that they had then', async () => {
    // The attacker opens a request for all there is, brings ten times as much, and again.
    const start = await game.rollup.now();
    // No time passes, however slow the machine: before the last deposit a second counts as 185 later ones.
    await chain.ask('anvil_setBlockTimestampInterval', [0]);
    await request(1, 600n);
    await game.fund(payer!, 2, 10_000n);
    await request(2, 10_400n);
    await game.fund(payer!, 3, 100_000n);
    await request(3, 100_000n);
    await chain.ask('anvil_removeBlockTimestampInterval');
    const due = await Promise.all([1, 2, 3].map((id) => game.overdueAt(id)));
    const demanded = due.reduce((sum, each) => sum + TIMEOUT / (RATE * (each - start)), 0);
    expect(due[0]! - start).toBeGreaterThan((TIMEOUT * 111_000) / (RATE * 600) - 60);
    expect(demanded).toBeLessThan(1);
  });

  it('of all amounts have times, and all that can be held is withdrawn', async () => {
    const most = 2n ** 64n - 1n;
    await chain.ask('anvil_setBalance', [payer, `0x${(2n ** 100n).toString(16)}`]);
    const rich = await GameRollup.deploy(chain);
    await rich.fund(payer!, 1, most - 1n);
    await rich.fund(payer!, 2, 1n);
    expect(await rich.register(payer!, 2, 1n)).toBe('LimitExceeded');
    const requestOf = (id: number, amount: bigint) =>
      rich.rollup.send(stranger!, 'requestTransfer', rich.transferRequest(id, { to: to!, amount }));
    const since = await rich.rollup.now();
    await requestOf(2, 1n);
    const window = (BigInt(TIMEOUT) * most) / BigInt(RATE);
    const [due] = (await rich.rollup.read('overdueAt', [2])) as [bigint];
    expect(due - BigInt(since)).toBeGreaterThanOrEqual(window);
    expect(due - BigInt(since)).toBeLessThan(window + window / 100n);
    expect(await rich.rollup.send(stranger!, 'announceByRequest', [2])).toBe('NotOverdue');
    await requestOf(1, most - 1n);
    expect(await rich.overdueAt(1)).toBe((await rich.rollup.now()) + TIMEOUT);
    await rich.rollup.passUntil(await rich.overdueAt(1));
    expect(await rich.freeze(stranger!, 'Request', 1)).toMatchObject(ACCEPTED);
    for (const id of [1, 2]) {
      await rich.rollup.send(stranger!, 'claimAccount', rich.claim(id, to!));
      expect(await rich.rollup.send(stranger!, 'withdrawBalances', rich.balances(id))).toMatchObject(
        ACCEPTED,
      );
    }
    expect((await rich.rollup.read('tokens', [0]))[2]).toBe(0n);
  });

  it('are not delayed by tokens that the operator adds', async () => {
    await request(1, 10n);
    const due = await game.overdueAt(1);
    const token = await chain.create(compile(await sourcesOf('hostile.sol')).get('OddToken')?.bytecode ?? '');
    expect(await game.rollup.send(game.operator, 'addToken', [token, 1n])).toMatchObject(ACCEPTED);
    expect(await game.overdueAt(1)).toBe(due);
  });

  it('of a holder who is diluted are brought forward by capital, which the holder keeps', async () => {
    await game.give(game.operator, 3, 1_000_000n);
    const start = await game.rollup.now();
    await request(2, 400n);
    expect((await game.overdueAt(2)) - start).toBeGreaterThan(600 * TIMEOUT);
    await game.make([game.transferOut(2, to!, 1n)]);
    const open = await game.give(payer!, 2, 1_000_000n);
    await ask('requestRedemption', game.redemptionRequest(2, open));
    expect(await game.overdueAt(2)).toBe((await game.rollup.now()) + TIMEOUT);
    await game.make([game.user(2).redeem(open.order, open.totalIndex, game.account(2).nonce + 1)]);
    await request(2, 1_000_399n);
    expect(await game.overdueAt(2)).toBe((await game.rollup.now()) + TIMEOUT);
  });
});
