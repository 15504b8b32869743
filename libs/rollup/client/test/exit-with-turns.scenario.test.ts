import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Address } from '@tetrad/types';
import { describeWithAnvil } from '../../chain/test/anvil-chain.js';
import { deriveRollupKeys, exitRollup, type ExitProgress, type RollupContract } from '../src/index.js';
import { SettledRollup, TIMEOUT } from './settled-rollup.js';

const alice = deriveRollupKeys(Buffer.alloc(32, 0xa1));
const bob = deriveRollupKeys(Buffer.alloc(32, 0xb0));
const recipient = '0x00000000000000000000000000000000000e1715' as Address;

/** What a killed process did last. */
class Killed extends Error {}

describeWithAnvil('an exit from a contract with turns', () => {
  let rollup: SettledRollup;

  beforeAll(async () => {
    rollup = await SettledRollup.start({ hasTurns: true });
    for (const { address } of [alice, bob]) await rollup.fund(address);
    await rollup.settle(bob, rollup.creation(alice, 1), rollup.creation(bob, 2));
  });
  afterAll(() => rollup?.stop());

  const paid = () => rollup.unitsOf(recipient);
  /** Time of the chain passes when the exit waits. */
  const exit = (
    keys: typeof alice,
    onProgress: (progress: ExitProgress) => void = () => undefined,
    contract = rollup.contract,
    payerKey?: Uint8Array,
  ) =>
    exitRollup({
      payerKey,
      contract,
      keys,
      recipient,
      fromBlock: 0,
      signal: new AbortController().signal,
      onProgress,
      pause: () => rollup.chain.passTime(TIMEOUT / 8),
    });

  it('says that the keys have no account, and does nothing', async () => {
    await expect(exit(deriveRollupKeys(Buffer.alloc(32, 0xcc)))).rejects.toThrow('no account of these keys');
  });

  it('takes balance and open orders out, however often it is killed', async () => {
    // Two equal ones, which cannot be requested at the same time.
    await rollup.deposit(bob, 1, 100n, 100n);
    const killedAt = new Set<string>();
    for (let isOver = false; !isOver;) {
      let last = '';
      try {
        // Each run dies at the first step at which none died before.
        await exit(alice, ({ kind }) => {
          if (kind === 'reading') return;
          const step = kind === 'sent' ? `the transaction of ${last}` : kind;
          last = kind;
          if (killedAt.has(step)) return;
          killedAt.add(step);
          throw new Killed(step);
        });
        isOver = true;
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
        await rollup.chain.passTime(TIMEOUT / 8);
      }
    }
    const sent = ['requesting', 'submitting'].map((kind) => `the transaction of ${kind}`);
    const steps = ['account', 'proving', 'requesting', 'submitting', 'waiting', ...sent];
    expect([...killedAt]).toEqual(expect.arrayContaining(steps));
    expect(await paid()).toBe(200n);
    const { openOrders, own } = await rollup.stateOf(alice);
    expect([openOrders.length, own?.balances.get(0) ?? 0n]).toEqual([0, 0n]);
  });

  it('has nothing to do afterwards', async () => {
    const kinds = new Set<string>();
    expect(await exit(alice, ({ kind }) => kinds.add(kind))).toEqual([]);
    expect(kinds).toEqual(new Set(['reading', 'account']));
    expect(await paid()).toBe(200n);
  });

  it('proves again when a batch of the operator comes first', async () => {
    const kinds: string[] = [];
    let isFirst = true;
    const raced = Object.create(rollup.contract, {
      submitBatch: {
        value: async (...call: Parameters<RollupContract['submitBatch']>) => {
          if (isFirst) {
            isFirst = false;
            await rollup.settle(alice);
          }
          return rollup.contract.submitBatch(...call);
        },
      },
    }) as RollupContract;
    await rollup.deposit(bob, 2, 50n);
    expect(await exit(bob, ({ kind }) => kinds.push(kind), raced)).toEqual([]);
    expect(kinds.filter((kind) => kind === 'refused')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'proving')).toHaveLength(2);
    expect(await paid()).toBe(250n);
  });

  it('has another account pay the gas, and touches nothing of that of the keys', async () => {
    await rollup.deposit(bob, 2, 70n);
    const payer = deriveRollupKeys(Buffer.alloc(32, 0xf7));
    await rollup.fund(payer.address);
    const weiOf = (address: Address) => rollup.chain.ask<string>('eth_getBalance', [address, 'latest']);
    const [before, payerBefore] = [await weiOf(bob.address), await weiOf(payer.address)];
    expect(await exit(bob, () => undefined, rollup.contract, payer.ethereumKey)).toEqual([]);
    expect(await paid()).toBe(320n);
    expect(await weiOf(bob.address)).toBe(before);
    expect(BigInt(await weiOf(payer.address))).toBeLessThan(BigInt(payerBefore));
  });

  it('says what it cannot be paid, and fetches it when it can', async () => {
    await rollup.deposit(bob, 2, 60n);
    await rollup.chain.ask('anvil_setCode', [recipient, '0x60006000fd']);
    const owed = [{ tokenId: 0, amount: 60n }];
    expect(await exit(bob)).toEqual(owed);
    expect(await exit(bob)).toEqual(owed);
    await rollup.chain.ask('anvil_setCode', [recipient, '0x']);
    expect(await exit(bob)).toEqual([]);
    expect(await paid()).toBe(380n);
  });
});
