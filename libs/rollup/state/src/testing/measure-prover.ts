import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  BatchProver,
  SRS_FOLDER,
  loadCircuit,
  type BatchWitness,
  type Circuit,
} from '@tetrad/rollup-circuits';
import { hashWords, multiplyGenerator, sign, verifySignature } from '@tetrad/rollup-crypto';
import { RandomRollup } from './random-rollup.js';

/**
 * Measures proving against `bb prove` of the same circuit, key and witness, in turns, and prints the figures as JSON: what
 * `bench prover` runs.
 * Takes the size of the batch, the rounds.
 */
const [size = 2, rounds = 5] = process.argv.slice(2).map(Number);
const BB_TARGET = 'evm';

async function main(): Promise<void> {
  const prover = await BatchProver.open({ size });
  const witness = await fullBatch(size);
  const circuit = await loadCircuit(size);
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-prover-'));
  try {
    const values = await prover.execute(witness);
    await prover.prove(witness);
    await writeInputs(folder, circuit, values);
    const [ours, alone, execution]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < rounds; round += 1) {
      execution.push(await timed(() => prover.execute(witness)));
      ours.push(await timed(() => prover.prove(witness)));
      alone.push(await timed(() => runBb(folder)));
    }
    const { proof } = await prover.prove(witness);
    const verification = await timed(() => prover.verify(witness.publicInputs, proof));
    await prover.close();
    const [one, two] = [await throughput(witness, 1), await throughput(witness, 2)];
    const figures = {
      size,
      gates: circuit.gates,
      cores: cpus().length,
      ours,
      alone,
      execution,
      verification,
      one,
      two,
    };
    process.stdout.write(`${JSON.stringify({ ...figures, ...cryptoRates() })}\n`);
  } finally {
    await prover.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A batch in which every place is taken. */
async function fullBatch(operations: number): Promise<BatchWitness> {
  const rollup = new RandomRollup(Math.random, operations);
  for (;;) {
    const { witness, results } = await rollup.step(async () => undefined);
    const done = results.filter(({ status }) => status === 'EXECUTED').length;
    if (done === operations && rollup.state.next.height > 8) return witness;
  }
}

async function writeInputs(folder: string, circuit: Circuit, values: Uint8Array): Promise<void> {
  const program = { noir_version: '', hash: '', abi: circuit.abi, bytecode: circuit.bytecode };
  await writeFile(join(folder, 'circuit.json'), JSON.stringify(program));
  await writeFile(join(folder, 'witness.gz'), gzipSync(values));
  await writeFile(join(folder, 'vk'), circuit.verificationKey);
}

/** The program of the prover library, by itself. */
async function runBb(folder: string): Promise<void> {
  const { findBbBinary } = await import('@aztec/bb.js/platform');
  const inputs = [
    '-b',
    join(folder, 'circuit.json'),
    '-w',
    join(folder, 'witness.gz'),
    '-k',
    join(folder, 'vk'),
  ];
  const child = spawn(findBbBinary() ?? 'bb', ['prove', '-t', BB_TARGET, ...inputs, '-o', folder], {
    env: { ...process.env, CRS_PATH: process.env['CRS_PATH'] ?? SRS_FOLDER },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  const code = await new Promise((done) => child.once('exit', done));
  if (code !== 0) throw new Error(`bb prove failed: ${said}`);
}

/** Operations proved in a second by so many provers of one thread each. */
async function throughput(witness: BatchWitness, provers: number): Promise<number> {
  const opened = await Promise.all(
    Array.from({ length: provers }, () => BatchProver.open({ size, threads: 1 })),
  );
  await Promise.all(opened.map((prover) => prover.prove(witness)));
  const perProver = 3;
  const ms = await timed(() =>
    Promise.all(
      opened.map(async (prover) => {
        for (let proof = 0; proof < perProver; proof += 1) await prover.prove(witness);
      }),
    ),
  );
  await Promise.all(opened.map((prover) => prover.close()));
  return (size * provers * perProver * 1000) / ms;
}

/** In a second, on this thread. */
function cryptoRates(): { readonly hashes: number; readonly verifications: number } {
  const key = multiplyGenerator(5n);
  const signature = sign(5n, 7n);
  return {
    hashes: rate(5000, (index) => hashWords([BigInt(index), 1n])),
    verifications: rate(1000, () => verifySignature(key, 7n, signature)),
  };
}

function rate(count: number, work: (index: number) => unknown): number {
  for (let index = 0; index < count / 5; index += 1) work(index);
  const from = performance.now();
  for (let index = 0; index < count; index += 1) work(index);
  return (count * 1000) / (performance.now() - from);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

await main();
