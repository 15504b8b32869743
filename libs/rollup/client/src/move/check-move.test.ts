import { describe, expect, it } from '@jest/globals';
import { ZERO_ADDRESS, type Address } from '@tetrad/types';
import type { RollupContract } from '../chain/rollup-contract.js';
import { checkMove, type PlannedMove } from './check-move.js';

const owner = `0x${'0a'.repeat(20)}` as Address;
const token = `0x${'0b'.repeat(20)}` as Address;
const GAS_PRICE = 10n;

/** A rollup with ether in gwei, and a token of which a unit is `unit`. */
const rollupAt = (digits: string, { unit = 1n, ...more }: { unit?: bigint } & Partial<RollupContract> = {}) =>
  ({
    address: `0x${digits.repeat(20)}`,
    exitRules: 'freeze',
    minDeposit: 5n,
    client: { gasPrice: async () => GAS_PRICE, balance: async () => 10n ** 18n },
    values: async (name: string) => [name === 'claimed' ? ZERO_ADDRESS : false],
    tokenCount: async () => 2,
    token: async (id: number) =>
      id === 0 ? { id, address: ZERO_ADDRESS, unit: 10n ** 9n } : { id, address: token, unit },
    ...more,
  }) as unknown as RollupContract;

const moveOf = (more: Partial<PlannedMove> = {}): PlannedMove => ({
  contract: rollupAt('01'),
  successor: rollupAt('02'),
  owner,
  accountId: 7,
  held: { amounts: new Map(), left: new Map(), balances: 1, orders: 2, deposits: { own: [], foreign: [] } },
  amounts: new Map([[token, 5n]]),
  byChain: false,
  ...more,
});

describe('the checks of a move', () => {
  it('let go what the successor takes', async () => {
    await expect(checkMove(moveOf())).resolves.toBeUndefined();
  });

  it('say all that is in the way at once', async () => {
    const amounts = new Map([
      [token, 4n],
      [ZERO_ADDRESS, 4n * 10n ** 9n],
    ]);
    await expect(checkMove(moveOf({ amounts }))).rejects.toMatchObject({
      problems: [
        `token ${token}: 4 base units are 4 units there, and its smallest deposit has 5; --only names what moves`,
        'ether: 4000000000 base units are 4 units there, and its smallest deposit has 5; --only names what moves',
      ],
    });
  });

  it('count in units of the successor, and refuse more of them than a rollup can hold', async () => {
    const amounts = new Map([[token, 2n ** 64n]]);
    await expect(checkMove(moveOf({ amounts }))).rejects.toThrow('are more than a rollup can hold');
    await expect(
      checkMove(moveOf({ amounts, successor: rollupAt('02', { unit: 2n }) })),
    ).resolves.toBeUndefined();
  });

  it('refuse a successor with turns, which holders cannot leave by proofs', async () => {
    const successor = rollupAt('02', { exitRules: 'turns' });
    await expect(checkMove(moveOf({ successor }))).rejects.toThrow('is of an earlier version');
  });

  it('want ether for more gas where the account leaves by the chain', async () => {
    const client = { gasPrice: async () => GAS_PRICE, balance: async () => 8_000_000n };
    const contract = rollupAt('01', { client } as unknown as Partial<RollupContract>);
    await expect(checkMove(moveOf({ contract }))).resolves.toBeUndefined();
    // 2 * 10 * (400_000 + 1_410_000 + 700_000 + 2 * 1_300_000 + 2_500_000)
    await expect(checkMove(moveOf({ contract, byChain: true }))).rejects.toThrow(
      `${owner} has 8000000 wei, and the gas of the move may cost 152200000: send it 144200000 wei`,
    );
  });
});
