import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  WitnessError,
  WitnessSolver,
  compileCircuit,
  openProverLibrary,
  pointsFor,
  type ProverLibrary,
} from '@tetrad/rollup-circuits';
import { seededRandom } from '@tetrad/testkit';
import type { Batch } from '../src/batch.js';
import { RandomRollup } from '../src/testing/random-rollup.js';

/** Sizes for which the proving points of the repository are too few: the circuit is counted, and executed for one, not proved. */
const SIZES = [
  { size: 8, gates: 102_679 },
  { size: 32, gates: 385_326 },
];
/** The circuits are the same but for the size, and the larger one takes a while. */
const EXECUTED = 8;
const MINUTE = 60_000;

let library: ProverLibrary;
beforeAll(async () => {
  library = await openProverLibrary();
});
afterAll(() => library?.close());

/** A batch with all places taken, and one with few taken. */
async function drawBatches(size: number): Promise<{ readonly full: Batch; readonly partly: Batch }> {
  const rollup = new RandomRollup(seededRandom(size), size);
  let [full, partly]: (Batch | undefined)[] = [];
  while (full === undefined || partly === undefined) {
    const batch = await rollup.step(async () => undefined);
    const places = batch.publicInputs.operations.map(({ kind }) => kind);
    if (!places.includes('noOp')) full ??= batch;
    else if (places.some((kind) => kind !== 'noOp' && kind !== 'inboundTransfer')) partly ??= batch;
  }
  return { full, partly };
}

/** The same claims but for one place, where the effect on the chain is another. */
function withOtherAmount({ witness }: Batch, place: number) {
  const { publicInputs } = witness;
  const operation = publicInputs.operations[place]!;
  const amount = operation.amount + 1n;
  const operations = publicInputs.operations.with(place, { ...operation, kind: 'outboundTransfer', amount });
  return { ...witness, publicInputs: { ...publicInputs, operations } };
}

const circuits = new Map<number, ReturnType<typeof compileCircuit>>();
function circuitOf(size: number): ReturnType<typeof compileCircuit> {
  const circuit = circuits.get(size) ?? compileCircuit(size);
  circuits.set(size, circuit);
  return circuit;
}

describe('the circuit of larger batches', () => {
  it(
    'takes a full batch and one that is partly filled, and no other effects at any place that is tried',
    async () => {
      const solver = await WitnessSolver.open(await circuitOf(EXECUTED));
      const { full, partly } = await drawBatches(EXECUTED);
      for (const batch of [full, partly]) {
        expect((await solver.solve(batch.witness)).length).toBeGreaterThan(0);
        for (const place of [0, EXECUTED - 1])
          await expect(solver.solve(withOtherAmount(batch, place))).rejects.toThrow(WitnessError);
        const { publicInputs } = batch.witness;
        const other = { ...publicInputs, nextStateRoot: publicInputs.nextStateRoot + 1n };
        await expect(solver.solve({ ...batch.witness, publicInputs: other })).rejects.toThrow(WitnessError);
      }
    },
    4 * MINUTE,
  );

  it.each(SIZES)(
    'has for $size operations the gates that its points are reckoned by',
    async ({ size, gates }) => {
      const { bytecode } = await circuitOf(size);
      expect(await library.gates(bytecode)).toBe(gates);
      expect(gates).toBeLessThan(pointsFor(size));
      // Half as many would be too few: no operator fetches more than are needed.
      expect(2 * gates).toBeGreaterThanOrEqual(pointsFor(size));
    },
    4 * MINUTE,
  );
});
