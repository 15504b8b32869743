import { writeFileSync } from 'node:fs';
import { runnersOf } from './runners.js';
import { workloads } from './workloads.js';

const ROUND_MS = 25;
const ROUNDS = 120;

type Run = () => Promise<unknown>;

/** Microseconds a run of each, the least of many short rounds in turns: other work of the host hits some of them. */
async function measure(runs: readonly Run[]): Promise<number[]> {
  const best = runs.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [n, run] of runs.entries()) best[n] = Math.min(best[n] as number, await measureRound(run));
  }
  return best;
}

async function measureRound(run: Run): Promise<number> {
  const from = performance.now();
  let runs = 0;
  do {
    await run();
    runs++;
  } while (performance.now() - from < ROUND_MS);
  return ((performance.now() - from) / runs) * 1_000;
}

/*
 * Measures every workload in our interpreter and in EthereumJS, in turns, and writes what it found to the file that
 * it is given. A separate program: under jest each access to a global costs as much as several opcodes.
 */
const results = [];
for (const workload of await workloads()) {
  const { own, oracle } = await runnersOf(workload);
  const { name, target } = workload;
  const [ours, theirs] = await measure([own, oracle]);
  results.push({ name, target, ours, theirs });
}
writeFileSync(process.argv[2] as string, JSON.stringify(results, null, 2));
