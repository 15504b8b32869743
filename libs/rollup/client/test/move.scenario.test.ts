import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ZERO_ADDRESS, type Address } from '@tetrad/types';
import { TIMEOUT, UNIT } from '../../chain/test/agreeing-rollup.js';
import { describeWithAnvil, type TestChain } from '../../chain/test/anvil-chain.js';
import type { GameRollup } from '../../chain/test/game-rollup.js';
import type { EthereumClient, MoveProgress, RollupKeys } from '../src/index.js';
import { GameToken } from './game-token.js';
import { Killed, MovingHolders, type MoveRun } from './moving-holders.js';

const other = `0x${'0e'.repeat(20)}` as Address;
/** A token has another unit in the successor: what is no whole unit there stays with its owner. */
const TOKEN_UNIT = 3n;

/** A run that dies when it has sent what it says, in no block. */
function killedWithTransactionOf(kind: MoveProgress['kind'], chain: TestChain) {
  const kinds: string[] = [];
  const run = {
    onProgress: (progress: MoveProgress) => kinds.push(progress.kind),
    onSend: async (when: 'before' | 'after') => {
      if (kinds.at(-1) !== kind) return;
      if (when === 'after') throw new Killed();
      await chain.ask('evm_setAutomine', [false]);
    },
  };
  return { run, kinds };
}

/** A client that has each deposit in the state of the successor before it has its event. */
function behindItself({ holders, successor }: MovingHolders) {
  const late = new Set<number>();
  const topic = successor.rollup.codec.abi.getEvent('InboundTransferRegistered')?.topicHash;
  const logs: EthereumClient['logs'] = async (address, range, topics) => {
    const found = await holders.contract.client.logs(address, range, topics);
    const isOfDeposits = address === successor.rollup.contract && topics?.[0] === topic;
    if (!isOfDeposits || late.has(found.length)) return found;
    late.add(found.length);
    return found.slice(0, -1);
  };
  return { client: { logs }, late };
}

describeWithAnvil('a move to another rollup', () => {
  let moving: MovingHolders;
  let token: GameToken;
  let unlisted: GameToken;
  let keys: RollupKeys[];
  /** A rollup that no move in these tests goes to. */
  let another: GameRollup;

  beforeAll(async () => {
    moving = await MovingHolders.start(6);
    const { holders, successor } = moving;
    const { game, chain, payer } = holders;
    [token, unlisted] = [await GameToken.create(chain), await GameToken.create(chain)];
    await token.listIn(game);
    await unlisted.listIn(game);
    // Ids differ.
    await (await GameToken.create(chain)).listIn(successor);
    await token.listIn(successor, TOKEN_UNIT);
    another = await moving.deploy({ minDeposit: 600n });
    keys = await Promise.all([1, 2, 3, 4, 5, 6].map((id) => moving.keysOf(id)));
    await game.fund(payer, 1, 100n);
    await game.give(payer, 1, 40n);
    await unlisted.fund(game, { id: 4, tokenId: 2, amount: 9n });
    for (const id of [2, 3, 4, 5]) {
      await game.fund(payer, id, 500n);
      await token.fund(game, { id, tokenId: 1, amount: 8n });
      await game.give(payer, id, 60n);
      await token.give(game, { id, tokenId: 1, amount: 3n });
    }
    await game.fund(payer, 6, 20n);
    for (const amount of [1n, 30n, 2n]) await game.give(payer, 6, amount);
  });
  afterAll(() => moving?.stop());

  const keysOf = (id: number) => keys[id - 1] as RollupKeys;
  const etherOf = async (id: number) =>
    BigInt(await moving.holders.chain.ask<string>('eth_getBalance', [keysOf(id).address, 'latest']));
  const nonceOf = (id: number) =>
    moving.holders.chain.ask<string>('eth_getTransactionCount', [keysOf(id).address, 'pending']);

  /** Each run dies at the first step at which none died before, until one ends. */
  const moveWithKills = async (id: number, run: MoveRun) => {
    const killedAt = new Set<string>();
    for (;;) {
      let last = '';
      const step = (name: string) => {
        if (killedAt.has(name)) return;
        killedAt.add(name);
        throw new Killed(name);
      };
      const onProgress = ({ kind }: MoveProgress) => {
        if (kind === 'reading') return;
        last = kind;
        step(kind);
      };
      try {
        const end = await moving.move(id, {
          ...run,
          onProgress,
          // The moment before it is sent is that of the line before.
          onSend: (when) => (when === 'after' ? step(`the transaction of ${last}`) : undefined),
        });
        return { end, killedAt: [...killedAt] };
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
      }
    }
  };

  it('needs no freeze where the operator makes what the contract is asked for', async () => {
    const before = await etherOf(1);
    const pause = () => moving.holders.serve(1);
    const { chain } = moving.holders;
    const { run, kinds } = killedWithTransactionOf('depositing', chain);
    await expect(moving.move(1, { pause, ...run })).rejects.toThrow(Killed);
    expect(kinds).toEqual(expect.arrayContaining(['began', 'registered', 'requested', 'depositing']));
    // What the killed process sent is not mined: it is waited for, and not sent again.
    const later: string[] = [];
    const end = await moving.move(1, {
      onProgress: ({ kind }) => later.push(kind),
      pause: () => chain.ask('evm_setAutomine', [true]).then(() => chain.ask('evm_mine')),
    });
    expect(later).toContain('awaiting');
    expect(later).not.toContain('depositing');
    expect(end).toEqual({
      kind: 'moved',
      places: [expect.objectContaining({ inContract: 0n, atAddress: 0n })],
    });
    expect(await moving.depositedBy(keysOf(1).address)).toEqual({ 0: 140n });
    expect(await etherOf(1)).toBe(before);
    expect(moving.hasFile(1)).toBe(false);
    expect((await moving.holders.contract.values('frozen', []))[0]).toBe(false);
  });

  it('has nothing to do afterwards, and writes no file', async () => {
    expect(await moving.move(1)).toEqual({ kind: 'nothing', places: [] });
    expect(moving.hasFile(1)).toBe(false);
  });

  const refused = async (id: number, run: MoveRun, words: string) => {
    const before = await nonceOf(id);
    await expect(moving.move(id, run)).rejects.toThrow(
      `the move does not begin, and nothing was sent: ${words}`,
    );
    expect(await nonceOf(id)).toBe(before);
    expect(moving.hasFile(id)).toBe(false);
  };

  describe('is refused, and sends nothing,', () => {
    it('to the rollup itself', () =>
      refused(2, { to: moving.holders.contract.address }, 'the successor is the rollup itself'));

    it('with a token that the successor does not list', () =>
      refused(4, {}, `token ${unlisted.address} is not listed in the successor`));

    it('with less than the smallest deposit, each token by its name', () =>
      refused(
        2,
        { to: another.rollup.contract, tokens: new Set([0]) },
        `ether: ${560n * UNIT} base units are 560 units there, and its smallest deposit has 600`,
      ));

    it('without the ether for its gas', async () => {
      const gasPrice = async () => 10n ** 15n;
      const { address } = keysOf(2);
      await refused(2, { client: { gasPrice } }, `${address} has ${await etherOf(2)} wei, and the gas`);
    });
  });

  it('does not go on with another rollup, other tokens, or to another successor while its own is served', async () => {
    const onProgress = ({ kind }: MoveProgress) => {
      if (kind === 'began') throw new Killed();
    };
    await expect(moving.move(3, { onProgress })).rejects.toThrow(Killed);
    await expect(moving.move(3, { to: another.rollup.contract })).rejects.toThrow(
      `a move to ${moving.successor.rollup.contract} has begun; go on with it, or end it with --abandon`,
    );
    await expect(moving.move(3, { tokens: new Set([0]) })).rejects.toThrow('begun with other tokens');
  });

  it('is refused to a rollup that is frozen', async () => {
    const { payer } = moving.holders;
    const { contract } = another.rollup;
    await another.register(payer, 1, 600n);
    await another.rollup.passUntil((await another.rollup.now()) + TIMEOUT + 1);
    expect(await another.freeze(payer, 'Deposit', 0)).toMatchObject({ status: '0x1' });
    await refused(2, { to: contract }, `the successor at ${contract} is frozen`);
  });

  describe('from a frozen rollup', () => {
    beforeAll(async () => {
      const { game, payer } = moving.holders;
      await moving.holders.contract.depositEther(
        { accountId: 2, amount: 7n },
        { key: keysOf(2).ethereumKey },
      );
      await game.register(payer, 2, 5n);
      const index = Number((await game.rollup.read('depositCount'))[0]) - 2;
      await game.rollup.passUntil((await game.rollup.now()) + 2 * TIMEOUT);
      expect(await game.freeze(payer, 'Deposit', index)).toMatchObject({ status: '0x1' });
    });

    it('takes balances, orders and own deposits over, each once, however often it is killed', async () => {
      // The deposit that waits has left the address before the move.
      const before = await etherOf(2);
      const { end, killedAt } = await moveWithKills(2, { byChain: false });
      const steps = [
        'began',
        'registering',
        'registered',
        'claiming',
        'withdrawing',
        'returning',
        'approving',
      ];
      const sent = ['claiming', 'withdrawing', 'returning', 'approving', 'depositing'].map(
        (kind) => `the transaction of ${kind}`,
      );
      expect(killedAt).toEqual(
        expect.arrayContaining(['foreignDeposit', ...steps, 'depositing', 'deposited', ...sent]),
      );
      expect(await moving.depositedBy(keysOf(2).address)).toEqual({ 0: 567n, 2: 3n });
      expect(await etherOf(2)).toBe(before);
      // Two base units are less than a unit of the successor.
      expect(await token.balanceOf(keysOf(2).address)).toBe(2n);
      expect(end.places).toContainEqual(
        expect.objectContaining({ token: token.address, inContract: 0n, atAddress: 2n }),
      );
      expect(moving.hasFile(2)).toBe(false);
    });

    it('takes the tokens that are named, and deposits each once though events come after the state', async () => {
      const { client, late } = behindItself(moving);
      const onProgress = ({ kind, ...more }: MoveProgress) => {
        if (kind === 'awaiting') waited.push(more);
      };
      const waited: unknown[] = [];
      const run = { byChain: false, tokens: new Set([0, 1]), client, onProgress };
      const end = await moving.move(4, run);
      expect(end.kind).toBe('moved');
      expect(await moving.depositedBy(keysOf(4).address)).toEqual({ 0: 560n, 2: 3n });
      expect(late.size).toBeGreaterThan(1);
      expect(waited).toContainEqual({ what: 'events' });
      expect(await unlisted.balanceOf(keysOf(4).address)).toBe(0n);
    });

    it('leaves orders below the minimum, and takes them in a later move without one', async () => {
      const before = await etherOf(6);
      const { address } = keysOf(6);
      expect(await moving.move(6, { byChain: false, minimum: 2_000n })).toMatchObject({ kind: 'moved' });
      expect(await moving.depositedBy(address)).toEqual({ 0: 20n });
      const end = await moving.move(6, { byChain: false, minimum: 5n });
      expect(end.places).toEqual([
        {
          token: ZERO_ADDRESS,
          inContract: 0n,
          left: 3n * UNIT,
          atAddress: 0n,
          inSuccessors: new Map([[moving.successor.rollup.contract, 30n * UNIT]]),
        },
      ]);
      expect(await moving.move(6, { byChain: false, minimum: 5n })).toEqual({ kind: 'nothing', places: [] });
      await moving.move(6, { byChain: false });
      expect(await moving.depositedBy(address)).toEqual({ 0: 53n });
      expect(await etherOf(6)).toBe(before);
    });

    it('is refused when the account is claimed for another address', async () => {
      const { game, payer } = moving.holders;
      const claim = await game.rollup.send(payer, 'claimAccount', game.claim(5, other));
      expect(claim).toMatchObject({ status: '0x1' });
      await expect(moving.move(5, { byChain: false })).rejects.toThrow(
        `account 5 is claimed for ${other}, who is paid in place of ${keysOf(5).address}`,
      );
    });

    it('says where the money is when the successor is frozen meanwhile, and goes on to another one', async () => {
      const { payer } = moving.holders;
      const { successor } = moving;
      const before = await etherOf(3);
      const killedWhenEtherIsThere = ({ kind }: MoveProgress) => {
        if (kind === 'deposited') throw new Killed();
      };
      const first = { byChain: false, onProgress: killedWhenEtherIsThere };
      await expect(moving.move(3, first)).rejects.toThrow(Killed);
      const index = Number((await successor.rollup.read('nextDeposit'))[0]);
      await successor.rollup.passUntil((await successor.rollup.now()) + 2 * TIMEOUT);
      expect(await successor.freeze(payer, 'Deposit', index)).toMatchObject({ status: '0x1' });
      const end = await moving.move(3, { byChain: false });
      const old = successor.rollup.contract;
      expect(end.kind).toBe('frozen');
      expect(end.places).toEqual(
        expect.arrayContaining([
          {
            token: ZERO_ADDRESS,
            inContract: 0n,
            left: 0n,
            atAddress: 0n,
            inSuccessors: new Map([[old, 560n * UNIT]]),
          },
          { token: token.address, inContract: 0n, left: 0n, atAddress: 11n, inSuccessors: new Map() },
        ]),
      );
      expect(moving.hasFile(3)).toBe(true);
      const next = await moving.deploy();
      await token.listIn(next);
      const { contract } = next.rollup;
      expect(await moving.move(3, { byChain: false, to: contract })).toMatchObject({ kind: 'moved' });
      const { address } = keysOf(3);
      expect(await moving.depositedBy(address, next)).toEqual({ 1: 11n });
      expect([await etherOf(3), await token.balanceOf(address)]).toEqual([before, 0n]);
    });
  });
});
