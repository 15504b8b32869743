import type { BenchResult, Comparison } from '../report/result.js';
import { runMeasuringProgram } from './measuring-program.js';

/** Limit in nanoseconds for a unit of gas: 30 M gas in 1.2 s. */
const LIMIT = 40;
/** Programs shown as the worst. */
const WORST = 5;

interface Measured {
  readonly name: string;
  readonly gas: number;
  readonly nanoseconds: number;
  /** Nanoseconds a unit of gas of a program that repeats the opcode, what fetches its operands included. */
  readonly attack: number;
}

/** Every opcode on operands that take long: time for a unit of its gas, and the worst that a block full of it takes. */
export async function opcodes(): Promise<BenchResult> {
  const measured = (await runMeasuringProgram('measure-opcodes')) as readonly Measured[];
  const worst = [...measured].sort((a, b) => b.attack - a.attack).slice(0, WORST);
  return {
    name: 'opcodes',
    comparisons: measured.map(compare),
    figures: worst.map(({ name, attack }) => ({
      what: `a program full of ${name}, operands included`,
      value: `${attack.toFixed(1)} ns/gas, ${(attack * 0.03).toFixed(2)} s for 30 M gas`,
    })),
  };
}

function compare({ name, gas, nanoseconds }: Measured): Comparison {
  const ours = Math.max(0, nanoseconds) / gas;
  return {
    what: name,
    unit: 'ns/gas',
    ours,
    peer: LIMIT,
    peerName: 'the limit',
    ratio: ours / LIMIT,
    target: { bound: 1, side: 'atMost' },
  };
}
