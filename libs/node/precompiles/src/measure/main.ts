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
    const started = performance.now();
    for (let turn = 0; turn < repeats; turn += 1) {
      const output = precompile.run(input);
      if (output instanceof Promise) await output;
    }
    fastest = Math.min(fastest, (performance.now() - started) / repeats);
  }
  return { name, gas: precompile.gas(input), nanoseconds: Math.round(fastest * 1e6) };
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
