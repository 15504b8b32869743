import type { Precompile } from '../precompile.js';
import { precompiles } from '../precompiles.js';
import { worstInputs, type WorstInput } from './worst-inputs.js';

/** Prints what the worst inputs take, a line of JSON each: name, gas and nanoseconds of the fastest run. */

/** Milliseconds for one input. */
const TIME = 300;

async function measure({ fork, address, input, name }: WorstInput): Promise<object> {
  const precompile = precompileAt(address, fork);
  await precompile.run(input);
  let fastest = Infinity;
  for (const end = performance.now() + TIME; performance.now() < end;) {
    const repeats = Math.max(1, Math.min(100, Math.round(1 / fastest)));
    const [started, cpu] = [performance.now(), process.cpuUsage()];
    for (let turn = 0; turn < repeats; turn += 1) {
      const output = precompile.run(input);
      if (output instanceof Promise) await output;
    }
    fastest = Math.min(fastest, timeSince(started, cpu) / repeats);
  }
  return { name, gas: precompile.gas(input), nanoseconds: Math.round(fastest * 1e6) };
}

/** Milliseconds; of long runs, which other work of the host interrupts, those on a processor. */
function timeSince(started: number, cpu: NodeJS.CpuUsage): number {
  const elapsed = performance.now() - started;
  if (elapsed < 2) return elapsed;
  const { user, system } = process.cpuUsage(cpu);
  return Math.min(elapsed, (user + system) / 1_000);
}

function precompileAt(address: number, fork: WorstInput['fork']): Precompile {
  const precompile = precompiles.of(fork).get(address);
  if (precompile === undefined) throw new Error(`${fork} has no precompile at ${address}`);
  return precompile;
}

const inputs = await worstInputs(async (address, field) => {
  const point = await precompileAt(address, 'osaka').run(field);
  if (point === undefined) throw new Error('no point for the field element');
  return point;
});
for (const input of inputs) process.stdout.write(`${JSON.stringify(await measure(input))}\n`);
