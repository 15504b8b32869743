import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Address } from '@tetrad/types';
import { describeWithAnvil } from '../../chain/test/anvil-chain.js';
import type { ExitProgress, FreezeHistory, RollupContract, RollupKeys } from '../src/index.js';
import { GameHolders } from './game-holder.js';
import { GameToken } from './game-token.js';

const addressOf = (digit: string) => `0x000000000000000000000000000000000000e${digit.repeat(3)}` as Address;
/** A thousand are in dust-exit.scenario.test.ts, with `./tetrad bench rollup-exit`. */
const DUST = 40;
const ORDERS = 6;
/** What two orders need, and not three. */
const SMALL_BLOCK = 3_000_000;
/** What a withdrawal of orders takes where the block has the gas. */
const AT_ONCE = 4;
const GWEI = 10n ** 9n;
/** Transactions that a killed process leaves. */
const UNDER_WAY = 5;

/** What a killed process did last. */
class Killed extends Error {}

describeWithAnvil('an exit from a contract that freezes', () => {
  let holders: GameHolders;

  beforeAll(async () => {
    holders = await GameHolders.start({ holders: 6 });
  });
  afterAll(() => holders?.stop());

  const kindsSeen = () => {
    const kinds: string[] = [];
    const onProgress = ({ kind }: ExitProgress) => {
      if (kind !== 'reading') kinds.push(kind);
    };
    return { kinds, onProgress };
  };

  it('says that keys have no account, and sends nothing', async () => {
    const keys = { ...(await holders.keysOf(1)), secretKey: 5n, encryptionKey: 6n };
    const { kinds, onProgress } = kindsSeen();
    await expect(holders.exit(keys, addressOf('9'), { onProgress })).rejects.toThrow(
      'no account of these keys',
    );
    expect(kinds).toEqual([]);
  });

  it('needs no freeze where the operator makes what it asks for, one after another', async () => {
    const { game, payer } = holders;
    await game.fund(payer, 1, 100n);
    await game.give(payer, 1, 40n);
    await game.give(payer, 1, 30n);
    const keys = await holders.keysOf(1);
    const { kinds, onProgress } = kindsSeen();
    const recipient = addressOf('1');
    const pause = () => holders.serve(1);
    expect(await holders.exit(keys, recipient, { onProgress, pause })).toEqual([]);
    expect(await holders.unitsOf(recipient)).toBe(170n);
    expect(kinds).toContain('requesting');
    expect(kinds).not.toContain('freezing');
    expect((await holders.contract.values('frozen', []))[0]).toBe(false);
  });

  it('has nothing to do afterwards', async () => {
    const { kinds, onProgress } = kindsSeen();
    expect(await holders.exit(await holders.keysOf(1), addressOf('1'), { onProgress })).toEqual([]);
    expect(kinds).toEqual(['account']);
  });

  describe('when the operator is gone', () => {
    const recipient = addressOf('2');
    let keys: RollupKeys;
    let token: GameToken;

    beforeAll(async () => {
      const { game, payer } = holders;
      keys = await holders.keysOf(2);
      token = await GameToken.create(holders.chain);
      const tokenId = await token.listIn(game);
      await game.fund(payer, 1, 5n);
      await token.fund(game, { id: 1, tokenId, amount: 8n });
      await token.give(game, { id: 1, tokenId, amount: 3n });
      await game.fund(payer, 2, 500n);
      await game.give(payer, 2, 60n);
      await game.give(payer, 2, 7n);
      await game.fund(payer, 3, 900n);
      await game.fund(payer, 4, 50n);
      for (let order = 0; order < ORDERS; order += 1) {
        await game.give(payer, 4, 10n);
        await game.give(payer, 5, 10n);
        await game.give(payer, 6, 10n);
      }
      await holders.giveDust(3, DUST);
      // Signed for the operator, which left it undone, and asks the contract for it.
      const dust = game.transferRequest(2, { to: recipient, amount: 1n });
      expect(await game.rollup.send(game.operator, 'requestTransfer', dust)).toMatchObject({ status: '0x1' });
      // No batch takes it.
      const { contract } = holders;
      await contract.depositEther({ accountId: 2, amount: 11n }, { key: keys.ethereumKey });
    });

    it('takes out balance, orders and the deposit, however often it is killed', async () => {
      const done = new Set<string>();
      let kills = 0;
      let history: FreezeHistory | undefined;
      for (let isOver = false; !isOver;) {
        let steps = 0;
        try {
          await holders.exit(keys, recipient, {
            onProgress: (progress) => {
              const { kind } = progress;
              if (kind === 'reading') return;
              if (kind === 'frozen') history = progress.history;
              done.add(kind);
              steps += 1;
              // Each run dies some steps later than the one before.
              if (steps > kills % 7) throw new Killed(kind);
            },
          });
          isOver = true;
        } catch (error) {
          if (!(error instanceof Killed)) throw error;
          kills += 1;
          await holders.chain.passTime(30);
        }
      }
      expect(kills).toBeGreaterThan(7);
      const steps = [
        'account',
        'requesting',
        'sent',
        'waiting',
        'announcing',
        'freezing',
        'frozen',
        'claiming',
        'claimed',
        'withdrawing',
        'left',
        'returning',
      ];
      expect([...done]).toEqual(expect.arrayContaining(steps));
      expect(await holders.unitsOf(recipient)).toBe(567n);
      const { address: from } = keys;
      expect(history).toMatchObject({ frozen: { from }, announced: { from } });
      // What the holder asked for took the place of the dust.
      const asked = (await holders.events()).filter(({ kind }) => kind === 'transferRequested');
      expect(asked.at(-1)).toMatchObject({ accountId: 2, transfer: { amount: 500n } });
      const [, , amount] = await holders.contract.values('deposits', [
        Number(await holders.contract.read('depositCount', [])) - 1,
      ]);
      expect(amount).toBe(0n);
    });

    it('takes out the tokens that are wanted, and the others when all are', async () => {
      const keys = await holders.keysOf(1);
      const recipient = addressOf('8');
      const { kinds, onProgress } = kindsSeen();
      await holders.exit(keys, recipient, { tokens: new Set([1]), onProgress });
      expect([await holders.unitsOf(recipient), await token.balanceOf(recipient)]).toEqual([0n, 11n]);
      // The claim, the balance and the order.
      expect(kinds.filter((kind) => kind === 'sent')).toHaveLength(3);
      await holders.exit(keys, recipient);
      expect([await holders.unitsOf(recipient), await token.balanceOf(recipient)]).toEqual([5n, 11n]);
    });

    it('has nothing to do afterwards, and pays no one else', async () => {
      const { kinds, onProgress } = kindsSeen();
      expect(await holders.exit(keys, addressOf('3'), { onProgress })).toEqual([]);
      expect(kinds).toEqual(['account', 'frozen', 'claimed']);
      expect(await holders.unitsOf(addressOf('3'))).toBe(0n);
    });

    it('fits into the blocks of a chain that has small ones', async () => {
      await holders.chain.ask('evm_setBlockGasLimit', [SMALL_BLOCK]);
      const { kinds, onProgress } = kindsSeen();
      await holders.exit(await holders.keysOf(4), addressOf('7'), { onProgress });
      await holders.chain.ask('evm_setBlockGasLimit', [30_000_000]);
      expect(await holders.unitsOf(addressOf('7'))).toBe(50n + 10n * BigInt(ORDERS));
      // The claim, the balance, and two orders at a time.
      expect(kinds.filter((kind) => kind === 'sent')).toHaveLength(2 + ORDERS / 2);
    });

    it.each([
      ['a call', 5, 'before'],
      ['a transaction', 6, 'after'],
    ] as const)(
      'is not ended by a sender who takes the orders out before %s, one after another',
      async (_, id, when) => {
        const { contract, game, payer } = holders;
        let orders: readonly unknown[] = [];
        const callTo: RollupContract['callTo'] = (name, values) => {
          orders = name === 'withdrawOrders' ? (values[1] as readonly unknown[]) : [];
          return contract.callTo(name, values);
        };
        const beFirst = async () => {
          if (orders.length > 0) await game.rollup.send(payer, 'withdrawOrders', [id, orders.slice(0, 1)]);
        };
        const tryCall: RollupContract['tryCall'] = async (call, from) => {
          if (when === 'before') await beFirst();
          await contract.tryCall(call, from);
          if (when === 'after') await beFirst();
        };
        const raced = Object.assign(Object.create(contract) as RollupContract, { callTo, tryCall });
        const { kinds, onProgress } = kindsSeen();
        const recipient = addressOf(String(id));
        await holders.exit(await holders.keysOf(id), recipient, { contract: raced, onProgress });
        // The claim; nothing was sent in vain when the call was refused.
        expect(kinds.filter((kind) => kind === 'sent')).toHaveLength(when === 'before' ? 1 : 1 + ORDERS);
        expect(await holders.unitsOf(recipient)).toBe(10n * BigInt(ORDERS));
      },
    );

    it('leaves dust to those who put it there, and waits while gas is too dear for the rest', async () => {
      const { chain } = holders;
      const price = async (wei: bigint) => {
        await chain.ask('anvil_setNextBlockBaseFeePerGas', [wei]);
        await chain.ask('evm_mine');
      };
      const { kinds, onProgress } = kindsSeen();
      const recipient = addressOf('4');
      const paidWhileDear: bigint[] = [];
      await price(5n * GWEI);
      await holders.exit(await holders.keysOf(3), recipient, {
        minimum: 2n,
        maxFeePerGas: GWEI,
        onProgress,
        pause: async () => {
          if (kinds.at(-1) === 'dear') paidWhileDear.push(await holders.unitsOf(recipient));
          await price(0n);
        },
      });
      expect(paidWhileDear).toEqual([0n]);
      expect(await holders.unitsOf(recipient)).toBe(900n);
      expect(kinds.filter((kind) => kind === 'sent')).toHaveLength(2);
    });

    it('takes the orders of dust too, killed with transactions under way, and sends none of them twice', async () => {
      const { chain } = holders;
      const keys = await holders.keysOf(3);
      const before = kindsSeen();
      const after = kindsSeen();
      await chain.ask('evm_setAutomine', [false]);
      const killed = holders.exit(keys, addressOf('4'), {
        onProgress: (progress) => {
          before.onProgress(progress);
          if (before.kinds.filter((kind) => kind === 'sent').length === UNDER_WAY) throw new Killed();
        },
      });
      await expect(killed).rejects.toThrow(Killed);
      expect(await holders.unitsOf(addressOf('4'))).toBe(900n);
      await holders.exit(keys, addressOf('4'), after);
      await chain.ask('evm_setAutomine', [true]);
      expect(await holders.unitsOf(addressOf('4'))).toBe(900n + BigInt(DUST));
      expect(after.kinds).toContain('pending');
      expect(after.kinds.filter((kind) => kind === 'sent')).toHaveLength(DUST / AT_ONCE - UNDER_WAY);
    });
  });
});
