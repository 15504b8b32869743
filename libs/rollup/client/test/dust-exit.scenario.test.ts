import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { deployedTerms } from '@tetrad/rollup-chain';
import type { Address } from '@tetrad/types';
import { describeWithAnvil, type Receipt } from '../../chain/test/anvil-chain.js';
import type { ExitProgress, RollupContract } from '../src/index.js';
import { GameHolders } from './game-holder.js';

/**
 * Leaving with many orders of dust when the operator is gone, from a contract with the defaults. `./tetrad bench rollup-exit` takes a
 * thousand orders, and reads the figures from the file that TETRAD_EXIT_FIGURES names. Withdrawals are mined when the exit waits, so
 * that the blocks that it needs depend on no clock.
 */
const ORDERS = Number(process.env['TETRAD_EXIT_ORDERS'] ?? 40);
const FIGURES = process.env['TETRAD_EXIT_FIGURES'];
const TERMS = deployedTerms({ stallTimeoutSeconds: 86_400 });
/** From the announcement of a freeze to the freeze. */
const ANNOUNCEMENT_SECONDS = TERMS.stallTimeoutSeconds / 4;
/** Of a transaction, and of a block of 30 million: seven of them. */
const [AT_ONCE, A_BLOCK] = [4, 28];
/** What others hold. */
const HELD = 1_000_000_000n;
const RECIPIENT = '0x000000000000000000000000000000000000d057' as Address;
/** Before the end of its wait an exit looks each second. */
const SHORTLY_SECONDS = 75;
/** An order and its batch take a second on a busy host. */
const LIMIT_MS = 600_000 + 3_000 * ORDERS;

interface Run {
  readonly kinds: string[];
  /** From the freeze to the last payment. */
  readonly blocks: number;
  readonly gas: bigint;
}

describeWithAnvil.each([
  ['nearly all that the contract holds, too', HELD, false],
  ['nothing else, a millionth of what others hold, and the smallest deposit', 0n, true],
] as const)('an exit with %s', (name, balance, deposits) => {
  let holders: GameHolders;

  beforeAll(async () => {
    holders = await GameHolders.start({ terms: TERMS });
    const { game, payer } = holders;
    await game.fund(payer, 1, balance === 0n ? HELD : 1n);
    if (balance > 0n) await game.fund(payer, 2, balance);
    await holders.giveDust(2, ORDERS);
  }, LIMIT_MS);
  afterAll(() => holders?.stop());

  async function leave(): Promise<Run> {
    const { chain, contract, game } = holders;
    const keys = await holders.keysOf(2);
    const [kinds, hashes]: [string[], string[]] = [[], []];
    let [until, before, frozenAt] = [0, ANNOUNCEMENT_SECONDS, 0];
    if (deposits) await contract.depositEther({ accountId: 2, amount: 1n }, { key: keys.ethereumKey });
    // The first withdrawal is tried before it is sent: from then on blocks are mined in pauses only.
    const tryCall: RollupContract['tryCall'] = async (call, from) => {
      await chain.ask('evm_setAutomine', [false]);
      await contract.tryCall(call, from);
    };
    const owed = await holders.exit(keys, RECIPIENT, {
      contract: Object.assign(Object.create(contract) as RollupContract, { tryCall }),
      onProgress: (progress: ExitProgress) => {
        kinds.push(progress.kind);
        if (progress.kind === 'waiting') ({ until } = progress);
        if (progress.kind === 'announcing') before = 0;
        if (progress.kind === 'freezing') frozenAt = hashes.length;
        if (progress.kind === 'sent') hashes.push(progress.hash);
      },
      // A day passes at once, all but its last looks.
      pause: async (ms) => {
        const left = until - before - (await game.rollup.now());
        await chain.passTime(left > SHORTLY_SECONDS ? left - SHORTLY_SECONDS : ms / 1_000);
      },
    });
    await chain.ask('evm_setAutomine', [true]);
    expect(owed).toEqual([]);
    const receipts = await Promise.all(
      hashes.map((hash) => chain.ask<Receipt>('eth_getTransactionReceipt', [hash])),
    );
    const numbers = receipts.slice(frozenAt).map(({ blockNumber }) => Number(blockNumber));
    return {
      kinds,
      blocks: Math.max(...numbers) - Math.min(...numbers) + 1,
      gas: receipts.reduce((sum, { gasUsed }) => sum + BigInt(gasUsed), 0n),
    };
  }

  it(
    `takes ${ORDERS} of them out in one window, with one request`,
    async () => {
      const { kinds, blocks, gas } = await leave();
      const count = (kind: string) => kinds.filter((each) => each === kind).length;
      const once = ['requesting', 'announcing', 'freezing', 'claiming'];
      expect(once.map(count)).toEqual([1, 1, 1, 1]);
      expect(await holders.unitsOf(RECIPIENT)).toBe(balance + BigInt(ORDERS));
      // Request, announcement, freeze and claim; then a balance or a deposit.
      expect(count('sent')).toBe(once.length + 1 + Math.ceil(ORDERS / AT_ONCE));
      // The freeze, the claim, a balance or a deposit, and the orders.
      expect(blocks).toBe(3 + Math.ceil(ORDERS / A_BLOCK));
      if (FIGURES === undefined) return;
      const line = JSON.stringify({
        name,
        orders: ORDERS,
        blocks,
        transactions: count('sent'),
        gas: `${gas}`,
      });
      await writeFile(FIGURES, `${line}\n`, { flag: 'a' });
    },
    LIMIT_MS,
  );
});
