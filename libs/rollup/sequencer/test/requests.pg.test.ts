import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { textOfWords } from '@tetrad/rollup-crypto';
import { RollupUser } from '../../state/src/testing/rollup-user.js';
import { decodeProvingInput } from '../src/index.js';
import { DOMAIN, OPERATOR_KEY, REQUESTS, RequestedRollup } from './requested-rollup.js';

const NOTHING_DONE = { executed: 0, rejected: 0 };

describe('operations that holders ask the contract for', () => {
  let rollup: RequestedRollup;

  beforeAll(async () => {
    rollup = await RequestedRollup.open();
  });
  afterAll(() => rollup?.close());
  beforeEach(() => rollup.reset());

  const load = () =>
    rollup.store.readRequestLoad(REQUESTS.progress, { atSeconds: 100, timeoutSeconds: 3_600 });

  it('are executed before what was accepted, the largest share first', async () => {
    const [first, second] = [rollup.redeem(0, 0, 50n), rollup.redeem(1, 1, 50n)];
    const accepted = rollup.redeem(2, 2, 50n);
    await rollup.accept(accepted);
    await rollup.ask(first, 9_000n);
    await rollup.ask(second, 8_000n);
    await rollup.run();
    expect(await rollup.placeOf(second)).toEqual(['EXECUTED', 3, 0]);
    expect(await rollup.placeOf(first)).toEqual(['EXECUTED', 3, 1]);
    expect(await rollup.placeOf(accepted)).toEqual(['EXECUTED', 3, 2]);
  });

  it('are executed past an earlier order, and with an invalid text', async () => {
    const signed = rollup.redeem(0, 3, 60n);
    if (signed.kind !== 'redeemMoneyOrder') throw new TypeError(signed.kind);
    const words = Array.from({ length: 15 }, (_, index) => BigInt(index) + 99n);
    const operation = { ...signed, ciphertext: textOfWords(words) };
    await rollup.ask(operation, 9_000n);
    await rollup.run();
    expect(await rollup.placeOf(operation)).toEqual(['EXECUTED', 3, 0]);
    const proving = decodeProvingInput((await rollup.store.readProving(3))!);
    expect(proving.ciphertexts[0]).toEqual(words);
    expect(await rollup.store.findLatestAccount(1)).toMatchObject({
      nonce: 1,
      balances: new Map([[0, 60n]]),
    });
  });

  it('are open until a final batch has an operation of the account, also after that was taken back', async () => {
    const operation = rollup.redeem(0, 0, 50n);
    await rollup.ask(operation, 1_000n);
    expect(await load()).toEqual({ open: 1, failing: 0, overdueAt: 3_605 });
    await rollup.run();
    await rollup.store.sequence((step) => step.rewind(3));
    expect(await rollup.placeOf(operation)).toEqual(['PENDING', undefined, undefined]);
    await rollup.run();
    expect((await load()).open).toBe(1);
    await rollup.finalize();
    expect(await load()).toEqual({ open: 0, failing: 0, overdueAt: undefined });
  });

  it('of one account take the place of each other: one is executed, and answers both', async () => {
    const [dust, later] = [rollup.redeem(0, 0, 50n), rollup.redeem(0, 3, 60n)];
    await rollup.ask(dust, 90_000n);
    await rollup.ask(later, 2_000n);
    await rollup.run();
    expect(await rollup.placeOf(later)).toEqual(['EXECUTED', 3, 0]);
    expect(await rollup.placeOf(dust)).toEqual([undefined, undefined, undefined]);
    expect(await load()).toMatchObject({ open: 2, failing: 0 });
    await rollup.finalize();
    expect(await load()).toMatchObject({ open: 0, failing: 0 });
  });

  it('are left when the account has signed another one meanwhile', async () => {
    const [requested, other] = [rollup.redeem(0, 3, 60n), rollup.redeem(0, 0, 50n)];
    await rollup.accept(other);
    await rollup.run();
    await rollup.ask(requested, 9_000n);
    await rollup.run();
    expect(await rollup.placeOf(other)).toEqual(['EXECUTED', 3, 0]);
    expect(await rollup.placeOf(requested)).toEqual([undefined, undefined, undefined]);
  });

  it('that cannot be executed are tried once, and counted', async () => {
    const operation = rollup.transferOut(0, 1n, 1);
    await rollup.ask(operation, 9_000n);
    await rollup.run();
    expect(await rollup.sequencer.executePending({ requests: REQUESTS })).toMatchObject(NOTHING_DONE);
    expect(await load()).toMatchObject({ open: 1, failing: 1 });
  });

  it('are not counted as failing when another operation of the account comes first, and executed when that is taken back', async () => {
    const [other, requested] = [rollup.redeem(0, 0, 50n), rollup.redeem(0, 3, 60n)];
    await rollup.accept(other);
    await rollup.ask(requested, 9_000n);
    const politeFirst = { ...REQUESTS, rates: { ...REQUESTS.rates, accepted: 1 } };
    await rollup.sequencer.executePending({ requests: politeFirst });
    expect(await rollup.placeOf(other)).toEqual(['EXECUTED', 3, 0]);
    expect(await load()).toMatchObject({ open: 1, failing: 0 });
    expect(await rollup.sequencer.executePending({ requests: REQUESTS })).toMatchObject(NOTHING_DONE);

    await rollup.store.sequence((step) => step.rewind(3));
    await rollup.database.pool.query(
      "UPDATE operation SET status = 'REJECTED', rejection_reason = 'BALANCE_TOO_LOW' WHERE status = 'PENDING'",
    );
    await rollup.run();
    expect(await rollup.placeOf(requested)).toEqual(['EXECUTED', 3, 0]);
  });

  it('are tried again when batches are taken back', async () => {
    const operation = rollup.transferOut(0, 1n, 1);
    await rollup.ask(operation, 9_000n);
    await rollup.run();
    expect(await load()).toMatchObject({ open: 1, failing: 1 });
    await rollup.store.sequence((step) => step.rewind(3));
    expect(await load()).toMatchObject({ open: 1, failing: 0 });
    // Of the batch that comes in place of what was taken back.
    await rollup.database.pool.query(
      `UPDATE account_version SET balances = '{"0": "50"}' WHERE account_id = 1`,
    );
    await rollup.sequencer.executePending({ requests: REQUESTS });
    expect(await rollup.placeOf(operation)).toEqual(['EXECUTED', 3, 0]);
  });

  it('wait for no batch to be final, however many of others an operation in it has answered', async () => {
    await rollup.finalize();
    const [dust, later] = [rollup.redeem(0, 0, 50n), rollup.redeem(0, 3, 60n)];
    const ofAnother = rollup.redeem(1, 1, 50n);
    await rollup.ask(dust, 1_100n);
    await rollup.ask(later, 1_200n);
    await rollup.ask(ofAnother, 9_000n);
    const one = { requests: REQUESTS, room: 1 };
    await rollup.sequencer.executePending(one);
    expect(await rollup.placeOf(dust)).toEqual(['EXECUTED', 3, 0]);
    await rollup.sequencer.executePending(one);
    expect(await rollup.placeOf(ofAnother)).toEqual(['EXECUTED', 3, 1]);
  });

  it('leave no row behind while they get no place', async () => {
    const rows = async () =>
      (await rollup.database.pool.query('SELECT FROM operation WHERE kind = 3')).rowCount;
    const accepted = rollup.redeem(2, 2, 50n);
    await rollup.accept(accepted);
    await rollup.ask(rollup.redeem(0, 0, 50n), 9_000n);
    await rollup.ask(rollup.redeem(1, 1, 50n), 8_000n);
    const politeFirst = { ...REQUESTS, rates: { ...REQUESTS.rates, accepted: 1 } };
    await rollup.sequencer.executePending({ requests: politeFirst, room: 1 });
    expect(await rollup.placeOf(accepted)).toEqual(['EXECUTED', 3, 0]);
    expect(await rows()).toBe(1);
    await rollup.sequencer.executePending({ requests: politeFirst, room: 1 });
    expect(await rows()).toBe(2);
  });

  it('are forgotten when their block is replaced', async () => {
    const operation = rollup.redeem(0, 0, 50n);
    await rollup.ask(operation, 9_000n);
    expect(await rollup.store.listRequestedTokens()).toEqual([0]);
    await rollup.store.rewindChain(rollup.block - 1);
    expect(await rollup.store.listRequestedTokens()).toEqual([]);
  });

  it('make no room for a creation whose text does not name its key', async () => {
    const dave = new RollupUser(4, OPERATOR_KEY, DOMAIN, () => 77n ** 9n);
    await rollup.accept(dave.create(dave.creationWords.slice(0, 1)));
    await rollup.run();
    expect((await rollup.store.readHead()).nextAccountId).toBe(4);
    // The key is free.
    expect(await rollup.accept(dave.create())).toBe('ACCEPTED');
    await rollup.run();
    expect((await rollup.store.readHead()).nextAccountId).toBe(5);
  });
});
