import { multiplyGenerator } from '@tetrad/rollup-crypto';
import { MemoryState, applyBatch } from '@tetrad/rollup-state';
import { encodeProvingInput } from '@tetrad/rollup-sequencer';
import type { RollupStore } from '@tetrad/rollup-store';
import { seededRandom } from '@tetrad/testkit';
import { RollupUser } from '../../state/src/testing/rollup-user.js';

const DOMAIN = 31337n;

/**
 * Writes batches of one account each, as the sequencer does: sealed, with their roots and what they are proved with.
 * @param sizes - of the batches, 1 for those that are not named
 * @param seed - of the accounts: others lead to other roots
 */
export async function writeAssembledBatches(
  store: RollupStore,
  count: number,
  sizes: readonly number[] = [],
  seed = 11,
): Promise<void> {
  const state = new MemoryState();
  const random = seededRandom(seed);
  const draw = () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n;
  for (let height = 1; height <= count; height += 1) {
    const size = sizes[height - 1] ?? 1;
    const user = new RollupUser(height, multiplyGenerator(99n), DOMAIN, draw);
    const batch = applyBatch(state, { ...state.next, domain: DOMAIN, size }, [user.create()]);
    state.commit(batch);
    await store.sequence(async (step) => {
      const place = {
        height,
        state: 'sealed',
        operations: 1,
        size,
        inboundFrom: 0,
        inboundTo: 0,
      } as const;
      await step.execute({ ...NOTHING, batches: [place] }, { ...step.head, openHeight: height + 1 });
    });
    const { publicInputs, witness, ciphertexts } = batch;
    await store.sequence((step) =>
      step.assemble({
        roots: {
          previousState: publicInputs.previousStateRoot,
          state: publicInputs.nextStateRoot,
          account: witness.accountRoot,
          orders: publicInputs.ordersRoot,
        },
        proving: encodeProvingInput({ witness, ciphertexts }),
        accountNodes: batch.accountNodes,
        historyNodes: batch.historyNodes,
      }),
    );
  }
}

const NOTHING = {
  executed: [],
  rejected: [],
  waiting: [],
  deposits: [],
  created: [],
  versions: [],
  opaque: [],
  orders: [],
  redeemed: [],
  credits: [],
};
