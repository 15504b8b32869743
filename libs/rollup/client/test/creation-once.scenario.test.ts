import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { WitnessError } from '@tetrad/rollup-circuits';
import type { RollupOperation } from '@tetrad/rollup-state';
import { describeWithAnvil } from '../../chain/test/anvil-chain.js';
import { deriveRollupKeys } from '../src/index.js';
import { SettledRollup } from './settled-rollup.js';

const alice = deriveRollupKeys(Buffer.alloc(32, 0xa1));
const bob = deriveRollupKeys(Buffer.alloc(32, 0xb0));

describeWithAnvil('an operator with a signed creation', () => {
  let rollup: SettledRollup;
  let creation: RollupOperation;

  beforeAll(async () => {
    rollup = await SettledRollup.start();
    creation = rollup.creation(alice, 1);
  });
  afterAll(() => rollup?.stop());

  /** The signature holds for any id: it cannot be known when it is made. */
  const as = (accountId: number) => ({ ...creation, accountId }) as RollupOperation;
  const used = 'the contract refuses: CreationUsed';

  it('makes one account with it, in one batch and later, although the proof holds', async () => {
    await expect(rollup.settle(alice, creation, as(2))).rejects.toThrow(used);
    await rollup.settle(alice, creation);
    await expect(rollup.settle(alice, as(2))).rejects.toThrow(used);
    await rollup.settle(alice, rollup.creation(bob, 2));
    await expect(rollup.settle(alice, as(3))).rejects.toThrow(used);
    expect((await rollup.stateOf(alice)).own?.id).toBe(1);
    expect((await rollup.stateOf(bob)).own?.id).toBe(2);
  });

  it('gives it the id that is next, and no other', async () => {
    const carol = deriveRollupKeys(Buffer.alloc(32, 0xca));
    for (const wrong of [1, 2, 4]) {
      // Of an id that has an account there is not even a proof.
      await expect(rollup.settle(carol, rollup.creation(carol, wrong))).rejects.toThrow(
        wrong < 3 ? WitnessError : 'the contract refuses: WrongAccountId',
      );
    }
    await rollup.settle(carol, rollup.creation(carol, 3));
    expect((await rollup.stateOf(carol)).own?.id).toBe(3);
  });
});
