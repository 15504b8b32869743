import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ciphertextWords } from '@tetrad/rollup-crypto';
import { accountHash, type Account } from '@tetrad/rollup-state';
import { ZERO_ADDRESS } from '@tetrad/types';
import { REQUESTS, RequestedRollup } from './requested-rollup.js';

const NONE = { open: 0, failing: 0, overdueAt: undefined };

describe('what is asked for by the holder of an account that cannot be read', () => {
  let rollup: RequestedRollup;
  /** The account as its holder knows it. */
  let known: Account;

  beforeAll(async () => {
    rollup = await RequestedRollup.open();
  });
  afterAll(() => rollup?.close());
  beforeEach(async () => {
    await rollup.reset();
    await rollup.finalize();
    known = (await rollup.store.findLatestAccount(1)) as Account;
  });

  const load = () =>
    rollup.store.readRequestLoad(REQUESTS.progress, { atSeconds: 100, timeoutSeconds: 3_600 });
  const proving = async (height: number) => Buffer.from((await rollup.store.readProving(height)) ?? []);
  /** As after batches of another operator, or those of this one that it reads from the chain. */
  const forget = async () => {
    const creation = rollup.creations[0];
    if (creation?.kind !== 'createAccount') throw new TypeError('no creation');
    await rollup.database.pool.query(
      `UPDATE account_version SET nonce = NULL, redemption_index = NULL, balances = NULL WHERE account_id = 1;
       DELETE FROM operation WHERE account_id = 1 AND kind = 1;
       DELETE FROM account WHERE account_id = 1;
       UPDATE sequence_head SET version = version + 1`,
    );
    await rollup.store.sequence((step) =>
      step.addOpaque([
        {
          batchHeight: 1,
          batchIndex: 0,
          kind: 'createAccount',
          accountId: 1,
          tokenId: 0,
          amount: 0n,
          recipient: ZERO_ADDRESS,
          words: ciphertextWords(creation.ciphertext),
          leaf: accountHash(known),
          orderHash: 0n,
        },
      ]),
    );
  };

  it('is executed as of one that can, to the word of the witness', async () => {
    const operation = rollup.redeem(0, 0, 50n);
    await rollup.ask(operation, 9_000n);
    await rollup.run();
    const witness = await proving(3);
    await rollup.store.sequence((step) => step.rewind(3));
    await forget();
    expect(await rollup.store.findLatestAccount(1)).toBeUndefined();
    await rollup.run();
    expect(await rollup.placeOf(operation)).toEqual(['EXECUTED', 3, 0]);
    expect(witness.length).toBeGreaterThan(1_000);
    expect((await proving(3)).equals(witness)).toBe(true);
    expect(await rollup.store.findLatestAccount(1)).toBeUndefined();
  });

  it('is executed one after the other, each with its own proof, and answered by its batch', async () => {
    await forget();
    await rollup.ask(rollup.redeem(0, 0, 50n), 9_000n);
    await rollup.run();
    // Executed once.
    await rollup.run();
    expect((await rollup.store.readHead()).openHeight).toBe(4);
    expect((await load()).open).toBe(1);
    await rollup.finalize();
    expect(await load()).toEqual(NONE);
    const after = { ...known, nonce: 1, redemptionIndex: 2 * 2 ** 16, balances: new Map([[0, 50n]]) };
    const transfer = rollup.transferOut(0, 20n, 2);
    await rollup.ask(transfer, 9_000n, { height: 3, proved: RequestedRollup.holding(after, 0) });
    await rollup.run();
    expect(await rollup.placeOf(transfer)).toEqual(['EXECUTED', 4, 0]);
    await rollup.finalize();
    expect(await load()).toEqual(NONE);
  });

  it('takes the place of what is asked for already: one of a nonce is executed, also before its batch is closed', async () => {
    await forget();
    const [dust, later] = [rollup.redeem(0, 0, 50n), rollup.redeem(0, 3, 60n)];
    await rollup.ask(dust, 90_000n);
    await rollup.sequencer.executePending({ requests: REQUESTS });
    await rollup.ask(later, 2_000n);
    await rollup.run();
    expect((await rollup.store.readHead()).assembledHeight).toBe(3);
    expect(await rollup.placeOf(dust)).toEqual(['EXECUTED', 3, 0]);
    expect(await rollup.placeOf(later)).toEqual([undefined, undefined, undefined]);
    await rollup.run();
    expect(await load()).toMatchObject({ open: 2, failing: 0 });
    // Of both at once it is the larger share.
    await rollup.store.sequence((step) => step.rewind(3));
    await rollup.run();
    expect(await rollup.placeOf(later)).toEqual(['EXECUTED', 3, 0]);
    await rollup.finalize();
    expect(await load()).toEqual(NONE);
  });

  it('is not executed on another leaf than the tree has, and counted', async () => {
    await forget();
    const proved = RequestedRollup.holding({ ...known, balances: new Map([[0, 9n]]) }, 0);
    await rollup.ask(rollup.transferOut(0, 9n, 1), 9_000n, { proved });
    await rollup.run();
    expect((await rollup.store.readHead()).openHeight).toBe(3);
    expect(await load()).toMatchObject({ open: 1, failing: 1 });
  });

  it('is not answered by a credit of another operator, after which it cannot be executed, and is counted', async () => {
    await forget();
    await rollup.ask(rollup.redeem(0, 0, 50n), 9_000n);
    await rollup.database.pool.query(
      `INSERT INTO batch (height, state, operations, size, inbound_from, inbound_to) VALUES (3, 'final', 2, 2, 4, 4);
       INSERT INTO account_version (account_id, batch_height) VALUES (1, 3);
       INSERT INTO opaque_place (batch_height, batch_index, kind, account_id, token_id, amount, recipient, ciphertext, leaf, order_hash)
       VALUES (3, 1, 7, 1, 0, 0, '', '', '', '');
       INSERT INTO tree_node (tree, level, index, batch_height, hash) VALUES (1, 0, 1, 3, decode(repeat('05', 32), 'hex'));
       UPDATE sequence_head SET open_height = 4, assembled_height = 3`,
    );
    await rollup.advance({ batches: [3] });
    expect(await load()).toMatchObject({ open: 1, failing: 0 });
    await rollup.run();
    expect((await rollup.store.readHead()).openHeight).toBe(4);
    expect(await load()).toMatchObject({ open: 1, failing: 1 });
  });

  it('opens the account again with a registration, once its batches are final', async () => {
    await forget();
    const operation = rollup.redeem(0, 0, 50n);
    await rollup.ask(operation, 9_000n);
    await rollup.run();
    const [creation] = rollup.creations;
    if (creation === undefined) throw new Error('no creation');
    expect(await rollup.accept(creation)).toBe('ACCEPTED');
    await rollup.run();
    expect(await rollup.store.findLatestAccount(1)).toBeUndefined();
    // It is asked for again when its batch is taken back, with what is kept of it.
    await rollup.store.sequence((step) => step.rewind(3));
    await rollup.run();
    await rollup.finalize();
    await rollup.run();
    expect(await rollup.store.findLatestAccount(1)).toMatchObject({
      id: 1,
      nonce: 1,
      redemptionIndex: 2 * 2 ** 16,
      balances: new Map([[0, 50n]]),
    });
    expect(await rollup.placeOf(operation)).toEqual(['EXECUTED', 3, 0]);
    const next = rollup.transferOut(0, 50n, 2);
    await rollup.accept(next);
    await rollup.run();
    expect((await rollup.placeOf(next))[0]).toBe('EXECUTED');
  });
});
