import { writeFileSync } from 'node:fs';
import { OPCODE_PROGRAMS, type OpcodeProgram } from './opcode-programs.js';
import { runsOf } from './opcode-runs.js';

/** Repetitions of an opcode in one run, which is short, so that other work of the host spares some runs. */
const COPIES = 500;
/** Time for one opcode. */
const TIME_MS = 250;

const GAS_OF_POP = 2;
const pops = (text: string) => text.split(' ').filter((word) => word === 'POP').length;

async function measure(program: OpcodeProgram): Promise<object> {
  const runs = runsOf(program, COPIES);
  const gas: number[] = [];
  const best = [Infinity, Infinity];
  for (const end = performance.now() + TIME_MS; performance.now() < end;) {
    for (const [n, run] of runs.entries()) {
      const from = performance.now();
      const outcome = await run();
      best[n] = Math.min(best[n] as number, performance.now() - from);
      if (outcome.failure !== undefined) throw new Error(`${program.name}: ${outcome.failure}`);
      gas[n] = outcome.gasSpent;
    }
  }
  const [withIt, without] = best as [number, number];
  const [all, rest] = gas as [number, number];
  const popped = GAS_OF_POP * (pops(program.without) - pops(program.body));
  return {
    name: program.name,
    gas: (all - rest) / COPIES + popped,
    nanoseconds: ((withIt - without) * 1e6) / COPIES,
    /** Of the whole program, operands and all: what an attacker gets for a unit of gas. */
    attack: (withIt * 1e6) / all,
  };
}

/* Writes gas and time of every opcode to the file that it is given. */
const results = [];
for (const program of OPCODE_PROGRAMS) results.push(await measure(program));
writeFileSync(process.argv[2] as string, JSON.stringify(results, null, 2));
