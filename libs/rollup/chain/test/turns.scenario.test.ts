import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Address } from '@tetrad/types';
import { AgreeingRollup, TIMEOUT, TURN_BLOCKS, UNIT, type Header } from './agreeing-rollup.js';
import { anvilProgram, startChain, type Receipt, type TestChain } from './anvil-chain.js';

const program = anvilProgram();
const accepted = expect.objectContaining({ status: '0x1' });

/** Each line of docs/adr/0215, against an operator or a holder that does its worst. */
(program === undefined ? describe.skip : describe)('turns of the operator and of others', () => {
  let chain: TestChain;
  let rollup: AgreeingRollup;
  let [operator, holder, stranger, recipient]: Address[] = [];
  const accounts = [1, 2, 3];

  beforeAll(async () => {
    chain = await startChain(program as string);
    [operator, holder, stranger, recipient] = chain.accounts as [Address, Address, Address, Address];
  });
  afterAll(() => chain?.stop());

  beforeEach(async () => {
    rollup = await AgreeingRollup.deploy(chain);
    expect(await asOperator(accounts.map((account) => ({ kind: 'create', account })))).toEqual(accepted);
    await deposit(1, 1000n);
    expect(await asOperator([{ kind: 'deposit', account: 1, amount: 1000n }])).toEqual(accepted);
  });

  const asOperator = (headers: readonly Header[]) => rollup.submit(operator as Address, headers);
  const asHolder = (headers: readonly Header[]) => rollup.submit(holder as Address, headers);
  const deposit = (account: number, amount: bigint) =>
    rollup.send(stranger as Address, 'registerInboundTransferETH', [account], amount * UNIT);
  const taken = (account: number, amount: bigint): Header => ({ kind: 'deposit', account, amount });
  const transfer = (account: number, amount: bigint): Header => ({
    ...{ kind: 'transfer', account, amount, recipient: recipient as Address },
  });
  const request = (account: number, amount: bigint) =>
    rollup.send(stranger as Address, 'requestOutboundTransfer', [account, recipient, 0, amount]);
  const times = async (account: number, amount: bigint) => {
    const [hash] = await rollup.read('requestHash', [account, recipient, 0, amount]);
    return (await rollup.read('requestTimes', [hash])).map(Number) as [number, number];
  };
  /** Requests, and waits until they are overdue. */
  const overdue = async (...requests: readonly (readonly [account: number, amount: bigint])[]) => {
    for (const [account, amount] of requests) expect(await request(account, amount)).toEqual(accepted);
    for (const [account, amount] of requests) await rollup.passUntil((await times(account, amount))[0]);
    // The operator's last batch was long ago.
    await rollup.passBlocks(TURN_BLOCKS);
  };
  const gasOf = (receipt: Receipt | string) => (typeof receipt === 'string' ? NaN : Number(receipt.gasUsed));

  it('are the operator’s alone while nothing is overdue', async () => {
    await request(1, 5n);
    await deposit(2, 7n);
    expect(await asHolder([transfer(1, 5n)])).toBe('NotYourTurn');
    expect(await asHolder([taken(2, 7n)])).toBe('NotYourTurn');
    for (let batch = 0; batch < 3; batch += 1) expect(await asOperator([])).toEqual(accepted);
  });

  it('begin for a request a time-out and at most a quarter after it', async () => {
    await request(1, 5n);
    const at = await rollup.now();
    const [overdueAt, expiresAt] = await times(1, 5n);
    expect(overdueAt).toBeGreaterThanOrEqual(at + TIMEOUT);
    expect(overdueAt).toBeLessThanOrEqual(at + TIMEOUT * 1.25);
    expect(expiresAt).toBe(overdueAt + TIMEOUT);
    await rollup.passUntil(overdueAt - 2);
    expect(await asHolder([transfer(1, 5n)])).toBe('NotYourTurn');
    await rollup.passUntil(overdueAt);
    expect(await asHolder([transfer(1, 5n)])).toEqual(accepted);
  });

  describe('with a hostile operator', () => {
    it('give it no batch without an overdue deposit', async () => {
      await deposit(2, 7n);
      await chain.passTime(TIMEOUT);
      expect(await asOperator([])).toBe('DepositOverdue');
      expect(await asOperator([transfer(1, 5n)])).toBe('DepositOverdue');
      expect(await asOperator([transfer(1, 5n), taken(2, 7n)])).toEqual(accepted);
      expect(await asOperator([])).toEqual(accepted);
    });

    it('give it no batch without all overdue deposits, or half a batch of them', async () => {
      for (const amount of [1n, 2n, 3n]) await deposit(2, amount);
      await chain.passTime(TIMEOUT);
      expect(await asOperator([taken(2, 1n)])).toBe('DepositOverdue');
      expect(await asOperator([taken(2, 1n), taken(2, 2n), transfer(1, 5n)])).toEqual(accepted);
      expect(await asOperator([])).toBe('DepositOverdue');
      expect(await asOperator([taken(2, 3n)])).toEqual(accepted);
    });

    it('give it one batch in so many blocks while a request is overdue, and the holder the blocks between', async () => {
      await overdue([1, 5n]);
      expect(await asOperator([])).toEqual(accepted);
      const [turn] = await rollup.read('operatorTurn');
      for (let block = 0; block < TURN_BLOCKS - 2; block += 1) {
        expect(await asOperator([])).toBe('TooEarly');
        await rollup.passBlocks(1);
      }
      await rollup.passBlocks(1);
      expect(Number(await chain.ask('eth_blockNumber'))).toBe(Number(turn) - 1);
      await rollup.passBlocks(1);
      expect(await asOperator([])).toEqual(accepted);
      expect(await asOperator([])).toBe('TooEarly');
      expect(await asHolder([transfer(1, 5n)])).toEqual(accepted);
      // Nothing is overdue any more.
      expect(await asOperator([])).toEqual(accepted);
      expect(await asOperator([])).toEqual(accepted);
    });

    it('are not more by another address of it, nor by answers to its own requests', async () => {
      await overdue([1, 5n], [2, 1n], [2, 2n]);
      expect(await asOperator([transfer(2, 1n)])).toEqual(accepted);
      expect(await asOperator([transfer(2, 2n)])).toBe('TooEarly');
      await rollup.send(operator as Address, 'setOperator', [stranger]);
      expect(await rollup.submit(stranger as Address, [transfer(2, 2n)])).toBe('TooEarly');
      expect(await asHolder([transfer(1, 5n)])).toEqual(accepted);
    });

    it('are at once its own again when it answers what is overdue', async () => {
      await overdue([1, 5n]);
      expect(await asOperator([])).toEqual(accepted);
      expect(await asOperator([])).toBe('TooEarly');
      expect(await asOperator([transfer(1, 5n)])).toEqual(accepted);
      expect(await asOperator([])).toEqual(accepted);
      expect(await asHolder([transfer(1, 5n)])).toBe('NotYourTurn');
    });

    it('are not used up by deposits that it makes for the holder', async () => {
      await deposit(1, 1n);
      await deposit(1, 2n);
      await overdue([1, 5n]);
      expect(await rollup.submit(stranger as Address, [taken(1, 1n)])).toEqual(accepted);
      expect(await rollup.submit(stranger as Address, [taken(1, 2n)])).toBe('TooEarly');
      expect(await asHolder([transfer(1, 5n)])).toEqual(accepted);
    });
  });

  describe('with a hostile holder', () => {
    it('are one batch for a request, and end when it expires', async () => {
      await overdue([1, 5n], [1, 6n]);
      expect(await request(1, 5n)).toBe('AlreadyRequested');
      expect(await asHolder([transfer(1, 5n)])).toEqual(accepted);
      await rollup.passBlocks(TURN_BLOCKS);
      expect(await asHolder([transfer(1, 5n)])).toBe('NotYourTurn');
      await rollup.passUntil((await times(1, 6n))[1]);
      expect(await asHolder([transfer(1, 6n)])).toBe('NotYourTurn');
      expect(await times(1, 6n)).toEqual([0, 0]);
      expect(await asOperator([])).toEqual(accepted);
      expect(await asOperator([])).toEqual(accepted);
      // It may be made again, and is due as late as any other.
      expect(await request(1, 6n)).toEqual(accepted);
      expect((await times(1, 6n))[0]).toBeGreaterThanOrEqual((await rollup.now()) + TIMEOUT);
    });

    it('are one batch in so many blocks for an account, however many requests it has', async () => {
      await overdue([1, 5n], [1, 6n], [2, 1n]);
      expect(await asHolder([transfer(1, 5n)])).toEqual(accepted);
      expect(await asHolder([transfer(1, 6n)])).toBe('TooEarly');
      expect(await asOperator([])).toEqual(accepted);
      expect(await asHolder([transfer(2, 1n)])).toEqual(accepted);
      await rollup.passBlocks(TURN_BLOCKS);
      expect(await asHolder([transfer(1, 6n)])).toEqual(accepted);
    });

    it('leave the operator its batches under any number of requests that cannot be proved', async () => {
      expect(await asOperator([])).toEqual(accepted);
      const free = gasOf(await asOperator([]));
      for (let amount = 1n; amount <= 40n; amount += 1n) await request(1 + Number(amount % 3n), amount);
      await rollup.passUntil((await times(2, 40n))[0]);
      for (let batch = 0; batch < 3; batch += 1) {
        const gas = gasOf(await asOperator([]));
        // Looking is bounded: four words of the storage.
        expect(gas).toBeLessThan(free + 15_000);
        expect(await asOperator([])).toBe('TooEarly');
        await rollup.passBlocks(TURN_BLOCKS);
      }
      await rollup.passUntil((await times(2, 40n))[1]);
      expect(await asOperator([])).toEqual(accepted);
      expect(await asOperator([])).toEqual(accepted);
      expect(gasOf(await asOperator([]))).toBeLessThan(free + 15_000);
    });

    it('leave half of the operator’s places to others under any number of deposits', async () => {
      for (let index = 0; index < 6; index += 1) await deposit(3, 1n);
      await chain.passTime(TIMEOUT);
      for (let batch = 0; batch < 3; batch += 1)
        expect(await asOperator([taken(3, 1n), taken(3, 1n), transfer(1, 5n), transfer(1, 6n)])).toEqual(
          accepted,
        );
    });

    it('do not come by transfers that were not requested, or to another address', async () => {
      await overdue([1, 5n]);
      expect(await asHolder([transfer(1, 6n)])).toBe('NotYourTurn');
      expect(await asHolder([transfer(2, 5n)])).toBe('NotYourTurn');
      expect(await asHolder([{ ...transfer(1, 5n), recipient: stranger as Address }])).toBe('NotYourTurn');
      expect(await asHolder([])).toBe('NotYourTurn');
    });
  });
});
