import { measureAccounts, type AccountsPoint } from '../growth/accounts.js';
import { exponentOf, type Point } from '../growth/exponent.js';
import { measureSubscriptions, type SubscriptionsPoint } from '../growth/subscriptions.js';
import { measureValidators, type ValidatorsPoint } from '../growth/validators.js';
import type { BenchResult, Comparison, Figure } from '../report/result.js';

/** The environment sets other sizes, with commas between them. */
const ACCOUNTS = sizesOf('TETRAD_BENCH_ACCOUNTS', [10_000, 1_000_000]);
const VALIDATORS = sizesOf('TETRAD_BENCH_VALIDATORS', [4, 7, 13, 22]);
const SUBSCRIPTIONS = sizesOf('TETRAD_BENCH_SUBSCRIPTIONS', [10, 1_000, 10_000]);
/** A cost of one among n that grows as log n has about this exponent over the sizes here. */
const LOGARITHM = 0.1;

/** How costs grow with accounts, validators and subscriptions: the exponent of each curve, against its limit. */
export async function growth(): Promise<BenchResult> {
  const accounts = await inTurn(ACCOUNTS, measureAccounts);
  const validators = await inTurn(VALIDATORS, measureValidators);
  const subscriptions = await inTurn(SUBSCRIPTIONS, measureSubscriptions);
  const ofAccounts = curve(accounts, (point) => point.accounts);
  const ofValidators = curve(validators, (point) => point.validators);
  return {
    name: 'growth',
    comparisons: [
      exponent('CPU of a transfer by accounts', ofAccounts('cpu'), 'log n', LOGARITHM),
      exponent('bytes of a transfer by accounts', ofAccounts('bytes'), 'log n', LOGARITHM),
      exponent('CPU of a block on a node by validators', ofValidators('cpu'), 'n', 1 + LOGARITHM),
      exponent('consensus messages to a node by validators', ofValidators('messages'), 'n', 1 + LOGARITHM),
      exponent(
        'CPU of a block by subscriptions',
        curve(subscriptions, (point) => point.subscriptions)('cpu'),
        'n log n',
        1 + LOGARITHM,
      ),
    ].filter(({ ratio }) => !Number.isNaN(ratio)),
    figures: [
      ...accounts.map(showAccounts),
      ...validators.map(showValidators),
      ...subscriptions.map(showSubscriptions),
    ],
  };
}

function sizesOf(variable: string, otherwise: readonly number[]): readonly number[] {
  const text = process.env[variable];
  return text === undefined ? otherwise : text.split(',').filter(Boolean).map(Number);
}

async function inTurn<Measured>(
  sizes: readonly number[],
  measure: (size: number) => Promise<Measured>,
): Promise<readonly Measured[]> {
  const points: Measured[] = [];
  for (const size of sizes) {
    const point = await measure(size);
    process.stderr.write(`  ${JSON.stringify(point)}\n`);
    points.push(point);
  }
  return points;
}

function curve<Measured>(points: readonly Measured[], sizeOf: (point: Measured) => number) {
  return (field: keyof Measured): readonly Point[] =>
    points.map((point) => ({ size: sizeOf(point), cost: Number(point[field]) }));
}

/** Not a number, and left out of the table, where fewer than two sizes were asked for. */
function exponent(what: string, points: readonly Point[], peerName: string, bound: number): Comparison {
  const ours = exponentOf(points);
  return {
    what,
    unit: '',
    ours,
    peer: bound,
    peerName,
    ratio: ours / bound,
    target: { bound: 1, side: 'atMost' },
  };
}

function showAccounts({ accounts, cpu, perSecond, bytes }: AccountsPoint): Figure {
  const value = `${cpu.toFixed(3)} ms of CPU, ${perSecond.toFixed(0)} a second, ${bytes.toFixed(0)} bytes`;
  return { what: `a transfer among ${accounts} accounts`, value };
}

function showValidators({ validators, cpu, messages, kilobytes }: ValidatorsPoint): Figure {
  const traffic = `${messages.toFixed(0)} consensus messages to it, ${kilobytes.toFixed(0)} kB of all`;
  return {
    what: `a block of ${validators} validators`,
    value: `${cpu.toFixed(1)} ms of CPU on a node, ${traffic}`,
  };
}

function showSubscriptions({ subscriptions, cpu }: SubscriptionsPoint): Figure {
  return { what: `a block with ${subscriptions} subscriptions`, value: `${cpu.toFixed(1)} ms of CPU` };
}
