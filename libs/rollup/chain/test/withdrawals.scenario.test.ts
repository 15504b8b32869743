import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { compile } from '@tetrad/compilers';
import { claimHash, sign } from '@tetrad/rollup-crypto';
import type { Address } from '@tetrad/types';
import { Interface } from 'ethers/abi';
import { TIMEOUT, UNIT } from './agreeing-rollup.js';
import { describeWithAnvil, startChain, type TestChain } from './anvil-chain.js';
import { sourcesOf } from './evm-contract.js';
import { GameRollup, type OpenOrder } from './game-rollup.js';

const ACCEPTED = { status: '0x1' };
const DUST = 12;

describeWithAnvil('a frozen rollup', () => {
  let chain: TestChain;
  let game: GameRollup;
  let [payer, stranger, to, elsewhere]: Address[] = [];
  let dust: OpenOrder[];
  let large: OpenOrder;
  let early: readonly unknown[];
  let artifacts: ReturnType<typeof compile>;
  let snapshot: string;

  /** Account 1: 600 in its balance, dust, then an order of 50; account 2: 400; account 3: nothing. */
  beforeAll(async () => {
    chain = await startChain();
    [, payer, stranger, to, elsewhere] = chain.accounts as [Address, Address, Address, Address, Address];
    artifacts = compile(await sourcesOf('hostile.sol'));
    game = await GameRollup.deploy(chain);
    await game.fund(payer!, 1, 600n);
    early = game.claim(1, to!);
    await game.fund(payer!, 2, 400n);
    dust = [];
    for (let index = 0; index < DUST; index += 1) dust.push(await game.give(payer!, 1, 1n));
    large = await game.give(payer!, 1, 50n);
    expect(await ask('claimAccount', game.claim(1, to!))).toBe('NotFrozen');
    expect(await ask('withdrawBalances', game.balances(1))).toBe('NotFrozen');
    expect(await ask('withdrawOrders', game.orders(1, [large]))).toBe('NotFrozen');
    await ask('requestTransfer', game.transferRequest(1, { to: to!, amount: 600n }));
    await game.rollup.passUntil((await game.rollup.now()) + TIMEOUT);
    expect(await game.freeze(stranger!, 'Request', 1)).toMatchObject(ACCEPTED);
    snapshot = await chain.ask('evm_snapshot');
  });
  afterAll(() => chain?.stop());
  beforeEach(async () => {
    await chain.ask('evm_revert', [snapshot]);
    snapshot = await chain.ask('evm_snapshot');
  });

  const ask = (name: string, values: readonly unknown[], from = stranger!) =>
    game.rollup.send(from, name, values);
  const balanceOf = async (address: Address) =>
    BigInt(await chain.ask<string>('eth_getBalance', [address, 'latest']));
  const gasOf = (outcome: Awaited<ReturnType<typeof ask>>) =>
    typeof outcome === 'string' ? outcome : Number(outcome.gasUsed);

  it('pays balances and orders by proofs alone, in any order, leaving what the holder leaves', async () => {
    const before = await balanceOf(to!);
    expect(await ask('claimAccount', game.claim(1, to!))).toMatchObject(ACCEPTED);
    expect(await ask('withdrawOrders', game.orders(1, [large]))).toMatchObject(ACCEPTED);
    expect(await balanceOf(to!)).toBe(before + 50n * UNIT);
    expect(await ask('withdrawBalances', game.balances(1))).toMatchObject(ACCEPTED);
    expect(await balanceOf(to!)).toBe(before + 650n * UNIT);
    expect(await ask('withdrawOrders', game.orders(1, [dust[5]!, dust[0]!]))).toMatchObject(ACCEPTED);
    expect(await balanceOf(to!)).toBe(before + 652n * UNIT);
    expect(await game.rollup.read('isOrderWithdrawn', [large.totalIndex])).toEqual([true]);
    expect(await game.rollup.read('isOrderWithdrawn', [dust[1]!.totalIndex])).toEqual([false]);
    expect(await game.rollup.read('isBalanceWithdrawn', [1, 0])).toEqual([true]);
  });

  it('pays all that it holds to the last unit, once every holder has left', async () => {
    for (const id of [1, 2, 3])
      expect(await ask('claimAccount', game.claim(id, to!))).toMatchObject(ACCEPTED);
    for (const id of [1, 2]) expect(await ask('withdrawBalances', game.balances(id))).toMatchObject(ACCEPTED);
    expect(await ask('withdrawOrders', game.orders(1, [...dust, large]))).toMatchObject(ACCEPTED);
    expect(await balanceOf(game.rollup.contract)).toBe(0n);
    expect((await game.rollup.read('tokens', [0]))[2]).toBe(0n);
  });

  it('pays nothing twice', async () => {
    await ask('claimAccount', game.claim(1, to!));
    expect(await ask('claimAccount', game.claim(1, to!))).toBe('AlreadyClaimed');
    expect(await ask('claimAccount', game.claim(1, elsewhere!))).toBe('AlreadyClaimed');
    expect(await ask('withdrawBalances', game.balances(1, [0, 0]))).toBe('BalanceWithdrawnBefore');
    expect(await ask('withdrawOrders', game.orders(1, [large, large]))).toBe('OrderWithdrawnBefore');
    await ask('withdrawBalances', game.balances(1));
    await ask('withdrawOrders', game.orders(1, [large]));
    expect(await ask('withdrawBalances', game.balances(1))).toBe('BalanceWithdrawnBefore');
    expect(await ask('withdrawOrders', game.orders(1, [dust[0]!, large]))).toBe('OrderWithdrawnBefore');
    // A refused list pays none of its orders.
    expect(await game.rollup.read('isOrderWithdrawn', [dust[0]!.totalIndex])).toEqual([false]);
  });

  it('pays whom the holder names, from any sender, and not for another holder', async () => {
    expect(await ask('withdrawBalances', game.balances(1))).toBe('NotClaimed');
    const [[account, , signature]] = game.claim(1, to!) as unknown as [[unknown, unknown, unknown]];
    expect(await ask('claimAccount', [[account, elsewhere, signature]])).toBe('InvalidSignature');
    const [[other]] = game.claim(2, to!) as unknown as [[unknown]];
    expect(await ask('claimAccount', [[other, to, signature]])).toBe('InvalidSignature');
    // What the operator has of the holder's signatures are operations.
    const transfer = game.transferOut(1, to!, 600n);
    if (transfer.kind !== 'outboundTransfer') throw new Error('no transfer');
    const { R, s } = transfer.signature;
    expect(await ask('claimAccount', [[account, to, [R.x, R.y, s]]])).toBe('InvalidSignature');
    await ask('claimAccount', game.claim(2, elsewhere!));
    const [, balances] = game.balances(1);
    const [, orders] = game.orders(1, [large]);
    expect(await ask('withdrawBalances', [2, balances])).toBe('WrongBalance');
    expect(await ask('withdrawOrders', [2, orders])).toBe('WrongOrder');
  });

  it('knows its last state alone, and recipients that can be paid', async () => {
    expect(await ask('claimAccount', early)).toBe('NotInState');
    const zero = `0x${'00'.repeat(20)}` as Address;
    expect(await ask('claimAccount', game.claim(1, zero))).toBe('InvalidRecipient');
    expect(await ask('claimAccount', game.claim(1, game.rollup.contract))).toBe('InvalidRecipient');
  });

  it('does not pay orders that were redeemed, or passed', async () => {
    const [account] = game.claim(1, to!) as unknown as [[unknown[], Address, unknown]];
    // A leaf with another redemption index is not in the state.
    const leaf = [...account[0]];
    leaf[5] = large.totalIndex;
    expect(await ask('claimAccount', [[leaf, account[1], account[2]]])).toBe('NotInState');
    await ask('claimAccount', game.claim(2, to!));
    // Account 2 has redeemed its only order, which is in the history for good.
    const order = { ...large.order, toAccountId: 2, amount: 400n, blindingFactor: 1n };
    const own = { order, totalIndex: game.account(2).redemptionIndex };
    expect(await ask('withdrawOrders', game.orders(2, [own]))).toBe('OrderRedeemed');
  });

  it('owes a recipient that refuses, and lets none in while it pays', async () => {
    const contracts = new Map<string, Address>();
    for (const name of ['Reverting', 'Caller'])
      contracts.set(name, await chain.create(artifacts.get(name)!.bytecode));
    const caller = contracts.get('Caller')!;
    const abi = new Interface(artifacts.get('Caller')!.abi);
    const again = game.rollup.codec.encodeCall('withdrawBalances', [1, []]);
    const left = abi.encodeFunctionData('setData', [again]);
    await chain.send({ from: stranger!, to: caller, data: left });
    await ask('claimAccount', game.claim(1, caller));
    await ask('claimAccount', game.claim(2, contracts.get('Reverting')!));
    expect(await ask('withdrawOrders', game.orders(1, [large]))).toMatchObject(ACCEPTED);
    expect(await balanceOf(caller)).toBe(50n * UNIT);
    const answer = await chain.ask<string>('eth_call', [
      { to: caller, data: abi.encodeFunctionData('succeeded') },
      'latest',
    ]);
    expect(BigInt(answer)).toBe(0n);
    const events = game.eventsOf(await ask('withdrawBalances', game.balances(2)));
    expect(events.map(({ kind }) => kind)).toEqual(['balanceWithdrawn', 'owed']);
    expect(await game.rollup.read('owed', [contracts.get('Reverting'), 0])).toEqual([400n]);
  });

  it('does not let a sender without gas turn payments into debts', async () => {
    await ask('claimAccount', game.claim(1, to!));
    const { contract, codec } = game.rollup;
    const data = codec.encodeCall('withdrawBalances', game.balances(1));
    const spent = Number(gasOf(await ask('withdrawBalances', game.balances(1))));
    await chain.ask('evm_revert', [snapshot]);
    snapshot = await chain.ask('evm_snapshot');
    await ask('claimAccount', game.claim(1, to!));
    for (let gas = spent - 60_000; gas < spent + 150_000; gas += 10_000) {
      const refused = await chain.revertData({ from: stranger!, to: contract, data, gas: BigInt(gas) });
      if (refused !== undefined) continue;
      const before = await balanceOf(to!);
      await chain.send({ from: stranger!, to: contract, data, gas: BigInt(gas) });
      expect(await balanceOf(to!)).toBe(before + 600n * UNIT);
      return;
    }
    throw new Error('never accepted');
  });

  it('takes a claim that the account signed for this rollup', async () => {
    const { secretKey, domain } = game.user(1);
    const [[account]] = game.claim(1, to!) as unknown as [[unknown]];
    const signed = (key: bigint, of: bigint) => {
      const { R, s } = sign(key, claimHash(of, { accountId: 1, recipient: to! }));
      return ask('claimAccount', [[account, to, [R.x, R.y, s]]]);
    };
    expect(await signed(secretKey, domain + 1n)).toBe('InvalidSignature');
    expect(await signed(game.user(2).secretKey, domain)).toBe('InvalidSignature');
    expect(await signed(secretKey, domain)).toMatchObject(ACCEPTED);
  });
});
