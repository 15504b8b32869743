import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '@tetrad/devnet';
import { chaos } from './cases/chaos.js';
import { consensusSimulator } from './cases/consensus-simulator.js';
import { keystores } from './cases/keystores.js';
import { ledger } from './cases/ledger.js';
import { network } from './cases/network.js';
import { rpc } from './cases/rpc.js';
import { signer } from './cases/signer.js';
import { soak } from './cases/soak.js';
import { start } from './cases/start.js';
import { wallet } from './cases/wallet.js';
import { drawChart } from './report/chart.js';
import { holds, type BenchResult } from './report/result.js';
import { formatTable } from './report/table.js';

const CASES: Readonly<Record<string, () => Promise<BenchResult>>> = {
  ...{ rpc, ledger, signer, keystores, wallet, soak, start, network, chaos },
  'consensus-simulator': consensusSimulator,
};

/** Runs the named benchmarks, or all; exit code 1 when a target is missed. */
async function main(names: readonly string[]): Promise<number> {
  const unknown = names.find((name) => !(name in CASES));
  if (unknown !== undefined) {
    process.stderr.write(`bench: ${unknown} is none of ${Object.keys(CASES).join(', ')}\n`);
    return 2;
  }
  const folder = join(ROOT, '.tetrad', 'bench');
  await mkdir(folder, { recursive: true });
  let missed = false;
  for (const name of names.length === 0 ? Object.keys(CASES) : names) {
    const result = await (CASES[name] as () => Promise<BenchResult>)();
    process.stdout.write(`${formatTable(result)}\n\n`);
    await writeFile(join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
    await writeFile(join(folder, `${name}.svg`), drawChart(result));
    missed ||= !result.comparisons.every(holds);
  }
  return missed ? 1 : 0;
}

process.exit(await main(process.argv.slice(2)));
