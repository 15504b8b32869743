import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Address } from '@tetrad/types';
import { deposit } from '../../state/src/testing/rollup-user.js';
import { ANNOUNCEMENT, RATE, TIMEOUT, UNIT } from './agreeing-rollup.js';
import { describeWithAnvil, startChain, type TestChain } from './anvil-chain.js';
import { GameRollup } from './game-rollup.js';

describeWithAnvil('the queue of deposits', () => {
  let chain: TestChain;
  let game: GameRollup;
  let [payer, flooder, stranger]: Address[] = [];

  beforeAll(async () => {
    chain = await startChain();
    [, payer, flooder, stranger] = chain.accounts as [Address, Address, Address, Address];
  });
  afterAll(() => chain?.stop());
  beforeEach(async () => {
    game = await GameRollup.deploy(chain);
  });

  const announce = (index: number) => game.rollup.send(stranger!, 'announceByDeposit', [index]);
  const freeze = (index: number) => game.rollup.send(stranger!, 'freezeByDeposit', [index]);
  const dueOf = async (index: number) => Number((await game.rollup.read('deposits', [index]))[3]);
  const balanceOf = async (address: Address) =>
    BigInt(await chain.ask<string>('eth_getBalance', [address, 'latest']));
  const give = (indexes: readonly number[]) => {
    const first = game.state.next.inboundFrom;
    return game.make(indexes.map((_, place) => deposit(first + place, game.user(1), 0, 5n)));
  };

  it('gives the operator the time-out for the first, and a share of it more for each behind', async () => {
    await game.register(payer!, 1, 5n);
    expect(await dueOf(0)).toBe((await game.rollup.now()) + TIMEOUT);
    for (let index = 1; index < 9; index += 1) {
      await game.register(flooder!, 1, 5n);
      expect(await dueOf(index)).toBe((await dueOf(0)) + (index * TIMEOUT) / RATE);
    }
    // An operator that is away is seen as soon, however many wait.
    await game.rollup.passUntil((await dueOf(0)) - ANNOUNCEMENT);
    expect([await announce(1), await announce(9)]).toEqual(['NotOverdue', 'NotRequested']);
    await announce(0);
    expect(await announce(0)).toBe('AlreadyAnnounced');
    await game.rollup.passUntil((await dueOf(0)) - 2);
    expect([await freeze(0), await freeze(1)]).toEqual(['NotOverdue', 'NotAnnounced']);
    await game.rollup.passUntil((await dueOf(0)) + 5);
    expect(game.eventsOf(await freeze(0))).toMatchObject([{ kind: 'frozen' }]);
  });

  it('is frozen by each that is left, though the operator takes the one before whenever it must', async () => {
    for (let index = 0; index < 3; index += 1) await game.register(payer!, 1, 5n);
    await game.rollup.passUntil(await dueOf(2));
    for (const index of [0, 2]) expect(await announce(index)).toMatchObject({ status: '0x1' });
    await game.rollup.passUntil((await game.rollup.now()) + ANNOUNCEMENT);
    await give([0]);
    expect([await freeze(0), await freeze(1)]).toEqual(['NotRequested', 'NotAnnounced']);
    expect(game.eventsOf(await freeze(2))).toMatchObject([{ kind: 'frozen' }]);
  });

  it('leaves an operator that works a quarter of the time-out on a chain that stood still', async () => {
    await game.register(payer!, 1, 5n);
    await game.rollup.passUntil((await dueOf(0)) + 9 * TIMEOUT);
    await announce(0);
    expect(await freeze(0)).toBe('NotOverdue');
    await game.rollup.passUntil((await game.rollup.now()) + ANNOUNCEMENT - 5);
    await give([0]);
    expect(await freeze(0)).toBe('NotRequested');
  });

  it('freezes nothing while the operator takes them at its rate', async () => {
    for (let index = 0; index < 8; index += 1) await game.register(flooder!, 1, 5n);
    for (let round = 0; round < 2; round += 1) {
      await game.rollup.passUntil((await dueOf(4 * round)) - 5);
      expect(await announce(4 * round)).toMatchObject({ status: '0x1' });
      await give([0, 1, 2, 3]);
      expect(await freeze(4 * round)).toBe('NotRequested');
      expect(await announce(4 * round + 4)).toBe(round === 0 ? 'NotOverdue' : 'NotRequested');
    }
    // A queue that was empty begins again with the time-out.
    await game.register(payer!, 1, 5n);
    expect(await dueOf(8)).toBe((await game.rollup.now()) + TIMEOUT);
  });

  it('is taken in its order and as it is', async () => {
    await game.register(payer!, 1, 5n);
    await game.register(payer!, 2, 6n);
    const take = (id: number, amount: bigint) => game.submit([deposit(0, game.user(id), 0, amount)]);
    expect(await take(2, 6n)).toBe('WrongDeposit');
    expect(await take(1, 4n)).toBe('WrongDeposit');
    expect(await take(1, 5n)).toMatchObject({ status: '0x1' });
  });

  it('is paid back to its depositors when the rollup froze, each deposit once', async () => {
    await game.register(payer!, 1, 5n);
    await give([0]);
    await game.register(payer!, 1, 70n);
    await game.register(flooder!, 1, 8n);
    const back = (indexes: readonly number[]) => game.rollup.send(stranger!, 'returnDeposits', [indexes]);
    expect(await back([1])).toBe('NotFrozen');
    await game.rollup.passUntil(await dueOf(1));
    await game.freeze(stranger!, 'Deposit', 1);
    const before = await balanceOf(payer!);
    for (const wrong of [[0], [3], [1, 1]]) expect(await back(wrong)).toBe('WrongDeposit');
    const events = game.eventsOf(await back([2, 1]));
    expect(events.map(({ kind }) => kind)).toEqual(['depositReturned', 'paid', 'depositReturned', 'paid']);
    expect(await balanceOf(payer!)).toBe(before + 70n * UNIT);
    expect(await back([1])).toBe('WrongDeposit');
    // What became a money order belongs to its account.
    expect(await balanceOf(game.rollup.contract)).toBe(5n * UNIT);
  });
});
