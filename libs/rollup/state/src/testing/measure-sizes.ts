import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { WitnessSolver, compileCircuit, pointsFor } from '@tetrad/rollup-circuits';
import { openInsecureLibrary, writeKnownPoints } from '@tetrad/rollup-circuits/insecure-points';
import { RandomRollup } from './random-rollup.js';

/**
 * Measures proofs of batches of several sizes by CPU time, which other work on the host does not change, and prints the figures as JSON: what `bench
 * batch-sizes` runs, on Linux. The points have a secret that is known, as the repository has too few of the ceremony for large batches: a
 * proof takes as long, and proves nothing. Its arguments are the rounds, then the sizes.
 */
const [rounds = 3, ...sizes] = process.argv.slice(2).map(Number);
const THREADS = 1;
/** Of /proc/PID/stat, on every Linux. */
const TICKS_A_SECOND = 100;
const MICROSECONDS = 1_000_000;

interface SizeFigures {
  readonly size: number;
  readonly gates: number;
  readonly points: number;
  /** Seconds of CPU of each proof, witness and all; of them, those in this process. */
  readonly proofs: readonly number[];
  readonly witnesses: readonly number[];
  /** Seconds of CPU for the verification key. */
  readonly key: number;
  /** Largest resident memory of `bb`, in bytes. */
  readonly memory: number;
}

async function measure(size: number): Promise<SizeFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-insecure-points-'));
  const points = pointsFor(size);
  await writeKnownPoints(folder, points);
  const circuit = await compileCircuit(size);
  const solver = await WitnessSolver.open(circuit);
  const library = await openInsecureLibrary(folder, THREADS);
  try {
    const [bb] = await childrenOf(process.pid);
    if (bb === undefined) throw new Error('bb does not run');
    const bytecode = gunzipSync(Buffer.from(circuit.bytecode, 'base64'));
    const gates = await library.gates(circuit.bytecode);
    const beforeKey = await cpuOf(bb);
    const verificationKey = await library.verificationKey(circuit.bytecode);
    const key = (await cpuOf(bb)) - beforeKey;
    const rollup = new RandomRollup(Math.random, size, { hasConsents: true });
    const [proofs, witnesses]: [number[], number[]] = [[], []];
    // The first one compiles code, and reads points.
    for (let round = 0; round <= rounds; round += 1) {
      const { witness } = await rollup.step(() => Promise.resolve());
      const [own, theirs] = [process.cpuUsage(), await cpuOf(bb)];
      await library.prove(bytecode, verificationKey, await solver.solve(witness));
      const { user, system } = process.cpuUsage(own);
      if (round === 0) continue;
      witnesses.push((user + system) / MICROSECONDS);
      proofs.push((user + system) / MICROSECONDS + (await cpuOf(bb)) - theirs);
    }
    return { size, gates, points, proofs, witnesses, key, memory: await memoryOf(bb) };
  } finally {
    await library.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const lists = await Promise.all(
    (await readdir(`/proc/${pid}/task`)).map((task) =>
      readFile(`/proc/${pid}/task/${task}/children`, 'utf8'),
    ),
  );
  return lists.flatMap((list) => list.trim().split(' ').filter(Boolean).map(Number));
}

/** Seconds of a process so far. */
async function cpuOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name, which may have spaces, is in parentheses; then state, and user and system time as 12th and 13th field.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

async function memoryOf(pid: number): Promise<number> {
  const lines = (await readFile(`/proc/${pid}/status`, 'utf8')).split('\n');
  const most = lines.find((line) => line.startsWith('VmHWM:')) ?? '';
  return Number.parseInt(most.slice('VmHWM:'.length), 10) * 1_024;
}

const figures: SizeFigures[] = [];
for (const size of sizes) figures.push(await measure(size));
process.stdout.write(`${JSON.stringify(figures)}\n`);
