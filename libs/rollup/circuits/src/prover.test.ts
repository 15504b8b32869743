import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashWords } from '@tetrad/rollup-crypto';
import { NO_OP_WITNESS, type BatchWitness } from './batch-witness.js';
import {
  CircuitError,
  SRS_FOLDER,
  listCircuits,
  readCircuit,
  removeCircuit,
  writeCircuit,
} from './circuit-cache.js';
import { buildCircuit, circuitVersionOf, removeOutdatedCircuits } from './compile-circuit.js';
import { BatchProver } from './prover.js';
import { SizedProvers } from './sized-provers.js';
import { NO_CIPHERTEXT, bindCiphertexts, type PublicInputs } from './public-inputs.js';
import { WitnessError } from './solve-witness.js';

/** The batch that does nothing, as the first of a rollup: small enough to make by hand. */
function emptyBatch(): BatchWitness {
  const empty = [0n];
  for (let level = 0; level < 32; level += 1)
    empty.push(hashWords([empty[level] as bigint, empty[level] as bigint]));
  const historyPath = empty.slice(0, 32);
  const ordersRoot = empty[12] as bigint;
  // At height 1 the leaf is the right child of the lowest node and the left one of all above.
  const historyAfter = historyPath.reduce(
    (node, sibling, level) => hashWords(level === 0 ? [sibling, node] : [node, sibling]),
    ordersRoot,
  );
  const publicInputs: PublicInputs = {
    previousStateRoot: hashWords([empty[28] as bigint, empty[32] as bigint]),
    nextStateRoot: hashWords([empty[28] as bigint, historyAfter]),
    height: 1,
    domain: 5n,
    inboundFrom: 0,
    inboundTo: 0,
    ordersRoot,
    ciphertexts: bindCiphertexts([NO_CIPHERTEXT]),
    operations: [{ kind: 'noOp', accountId: 0, tokenId: 0, amount: 0n, toAddress: 0n, leaf: 0n, order: 0n }],
  };
  const roots = { accountRoot: empty[28] as bigint, historyRoot: empty[32] as bigint };
  return { publicInputs, ...roots, historyPath, operations: [NO_OP_WITNESS], hasConsents: true };
}

const witness = emptyBatch();
let prover: BatchProver;
beforeAll(async () => {
  prover = await BatchProver.open({ size: 1 });
});
afterAll(() => prover.close());

let proved: Promise<Uint8Array> | undefined;
/** It takes seconds of CPU. */
const proofOnce = () => (proved ??= prover.prove(witness).then((made) => made.proof));

describe('a prover', () => {
  it('makes a proof that it accepts for these public inputs only', async () => {
    const proof = await proofOnce();
    const { publicInputs } = witness;
    expect(await prover.verify(publicInputs, proof)).toBe(true);
    expect(await prover.verify({ ...publicInputs, domain: 6n }, proof)).toBe(false);
    expect(
      await prover.verify({ ...publicInputs, nextStateRoot: publicInputs.previousStateRoot }, proof),
    ).toBe(false);
    const other = Uint8Array.from(proof);
    other[40] = (other[40] as number) ^ 1;
    expect(await prover.verify(publicInputs, other).catch(() => false)).toBe(false);
    expect(await prover.verify(publicInputs, proof.subarray(1))).toBe(false);
    // What made `bb` end did not take the prover with it.
    expect(await prover.verify(publicInputs, proof)).toBe(true);
  });

  it('says which witness it cannot prove', async () => {
    const wrong = { ...witness, accountRoot: 1n };
    await expect(prover.prove(wrong)).rejects.toThrow(WitnessError);
    const tooMany = { ...witness, operations: [NO_OP_WITNESS, NO_OP_WITNESS] };
    await expect(prover.prove(tooMany)).rejects.toThrow(/the circuit is for 1 operations, not 2/);
  });

  it('that is closed ends the work in progress, and starts again on the next request', async () => {
    const own = await BatchProver.open({ size: 1 });
    const request = own.verify(witness.publicInputs, new Uint8Array(32 * 200)).catch((error: Error) => error);
    await own.close();
    expect(await request).toBeInstanceOf(CircuitError);
    expect(await own.verify(witness.publicInputs, await proofOnce())).toBe(true);
    await own.close();
  });

  it('gives up on what takes longer than it may', async () => {
    const hasty = await BatchProver.open({ size: 1, timeoutMs: 1 });
    await expect(hasty.prove(witness)).rejects.toThrow(/no answer in 1 ms/);
    await hasty.close();
  });

  it('is not there for a size that was not built', async () => {
    await expect(BatchProver.open({ size: 3 })).rejects.toThrow(/no circuit for batches of 3; run the build/);
  });
});

it('provers of several sizes are opened as they are wanted, and take a witness each', async () => {
  const provers = new SizedProvers({ threads: 1 });
  await expect(provers.open(3)).rejects.toThrow(/no circuit for batches of 3/);
  const { proof } = await provers.prove(witness);
  const one = await provers.open(1);
  expect(await one.verify(witness.publicInputs, proof)).toBe(true);
  expect((await provers.open(2)).circuit.size).toBe(2);
  await provers.close();
});

describe('building a circuit', () => {
  it('is done once for the same sources and tools', async () => {
    expect(await buildCircuit(1)).toBe(false);
    expect(await buildCircuit(2)).toBe(false);
  });

  it.each([0, -1, 1.5, Number.NaN, 4097])('refuses the size %s', async (size) => {
    await expect(buildCircuit(size)).rejects.toThrow(CircuitError);
  });

  it('is not done with points that were put behind those of the ceremony', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tetrad-other-points-'));
    const ours = await readFile(join(SRS_FOLDER, 'bn254_g1.dat'));
    await writeFile(join(folder, 'bn254_g1.dat'), Buffer.concat([ours, ours]));
    await expect(buildCircuit(4, { pointsFolder: folder })).rejects.toThrow(
      'point 32769 is not of the ceremony',
    );
    await expect(buildCircuit(8, { pointsFolder: folder })).rejects.toThrow('batches of 8 need 131073');
    await rm(folder, { recursive: true });
  });

  it('removes what was made of other sources, and nothing else', async () => {
    const size = 4_095;
    await writeCircuit({ ...prover.circuit, size, version: 'earlier' });
    expect(await removeOutdatedCircuits([1])).toEqual([size]);
    expect([await readCircuit(size), (await readCircuit(2))?.size]).toEqual([undefined, 2]);
    await writeCircuit({ ...prover.circuit, size, version: await circuitVersionOf(size) });
    expect(await removeOutdatedCircuits([1])).toEqual([]);
    expect(await listCircuits()).toEqual(expect.arrayContaining([1, 2, size]));
    await removeCircuit(size, true);
  });

  it('leaves room in the proving points, and has a separate key for each size', async () => {
    const pair = await BatchProver.open({ size: 2 });
    expect(pair.circuit.gates).toBeLessThanOrEqual(2 ** 15);
    expect(pair.circuit.gates - prover.circuit.gates).toBeLessThanOrEqual(14_000);
    expect(Buffer.from(pair.circuit.verificationKey).equals(prover.circuit.verificationKey)).toBe(false);
    expect(pair.circuit.version).not.toBe(prover.circuit.version);
    await pair.close();
  });
});
