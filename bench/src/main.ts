import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '@tetrad/devnet';
import { nearest, packageVersion } from '@tetrad/service';
import { BenchWordsError, OPTIONS_USAGE, readBenchWords, type BenchWords } from './bench-words.js';
import { agreement } from './cases/agreement.js';
import { agreementSoak } from './cases/agreement-soak.js';
import { batchSizes } from './cases/batch-sizes.js';
import { chaos } from './cases/chaos.js';
import { consensusSimulator } from './cases/consensus-simulator.js';
import { crash } from './cases/crash.js';
import { evm } from './cases/evm.js';
import { evmAttack } from './cases/evm-attack.js';
import { evmFuzz } from './cases/evm-fuzz.js';
import { explorer } from './cases/explorer.js';
import { extension } from './cases/extension.js';
import { gethImport } from './cases/geth-import.js';
import { growth } from './cases/growth.js';
import { idle } from './cases/idle.js';
import { importChain } from './cases/import-chain.js';
import { keyServices } from './cases/key-services.js';
import { join as joinChain } from './cases/join.js';
import { keystores } from './cases/keystores.js';
import { ledger } from './cases/ledger.js';
import { longChain } from './cases/long-chain.js';
import { manager } from './cases/manager.js';
import { network } from './cases/network.js';
import { opcodes } from './cases/opcodes.js';
import { pacedSoak } from './cases/paced-soak.js';
import { permissions } from './cases/permissions.js';
import { precompiles } from './cases/precompiles.js';
import { privateTransfers } from './cases/private.js';
import { prover } from './cases/prover.js';
import { raft } from './cases/raft.js';
import { recovery } from './cases/recovery.js';
import { rollupAttack } from './cases/rollup-attack.js';
import { rollupExit } from './cases/rollup-exit.js';
import { rollupGame } from './cases/rollup-game.js';
import { rollup } from './cases/rollup.js';
import { rows } from './cases/rows.js';
import { rpc } from './cases/rpc.js';
import { signer } from './cases/signer.js';
import { soak } from './cases/soak.js';
import { start } from './cases/start.js';
import { stateTests } from './cases/state-tests.js';
import { storage } from './cases/storage.js';
import { upgrade } from './cases/upgrade.js';
import { wallet } from './cases/wallet.js';
import { drawChart } from './report/chart.js';
import { holds, type BenchResult } from './report/result.js';
import { formatTable } from './report/table.js';

const CASES: Readonly<Record<string, (words: BenchWords) => Promise<BenchResult>>> = {
  rpc,
  ledger,
  signer,
  keystores,
  'key-services': keyServices,
  wallet,
  manager,
  start,
  network,
  raft,
  crash,
  prover,
  rollup,
  'batch-sizes': batchSizes,
  chaos: (words) => chaos(words.chaos),
  idle: (words) => idle(words.idle),
  soak: ({ soak: { durationMs } }) => (durationMs === undefined ? soak() : pacedSoak(durationMs)),
  import: importChain,
  'geth-import': gethImport,
  join: joinChain,
  storage: (words) => storage(words.storage),
  'long-chain': longChain,
  upgrade: (words) => upgrade(words.upgrade),
  permissions,
  explorer,
  growth,
  extension,
  rows,
  'rollup-attack': rollupAttack,
  'rollup-exit': rollupExit,
  'rollup-game': rollupGame,
  'consensus-simulator': consensusSimulator,
  private: privateTransfers,
  agreement,
  'agreement-soak': agreementSoak,
  evm,
  opcodes,
  precompiles,
  recovery,
  'evm-attack': evmAttack,
  'evm-fuzz': evmFuzz,
  'state-tests': stateTests,
};

/** What each benchmark measures; a case without an entry is listed by name only. */
const ABOUT: Readonly<Record<string, string>> = {
  rpc: 'a trivial method on a full node, against a bare server that echoes JSON',
  ledger: 'presigned transactions from submission to inclusion, against anvil',
  signer: 'sending through the signer, against sending presigned transactions',
  'key-services':
    'signatures of SoftHSM through a whole signer, against 200 a second and the token itself; the start with 10,000 files that name keys, against 10 s',
  keystores: 'decrypting many key files on all cores, against one at a time',
  rows: 'statements of the stores, against the calls of their Prisma clients that do the same',
  wallet: 'signatures by the wallet service, against the bare libraries',
  manager: 'private payloads to two recipients, against encryption, hashing and insertion alone',
  private: 'private token transfers between two of four nodes, against public transfers',
  agreement:
    'private transfers of two parties that state their results to each other, against the same without it',
  'agreement-soak':
    '10,000 random private transactions of parties that are killed and reached late: they are never said to differ; TETRAD_BENCH_TRANSACTIONS and TETRAD_BENCH_SEED set others',
  soak: '100,000 transactions: the last tenth against the first in speed and memory; --duration: half of the maximum for so long',
  start: 'time until a new process serves a chain of 10,000 blocks, against re-executing it',
  explorer:
    'a page of an account with 100,000 among 5,000,000 transactions by the index by address, against 50 ms; an import with and without it; its bytes. TETRAD_BENCH_TRANSACTIONS and TETRAD_BENCH_IMPORTED set other sizes, 0 transactions leave the page out',
  growth:
    'how the costs of a transfer grow with accounts, those of a block with validators and with subscriptions, against log n, n and n log n; TETRAD_BENCH_ACCOUNTS, _VALIDATORS and _SUBSCRIPTIONS set the sizes, with commas, and TETRAD_BENCH_KEPT a folder that keeps what is written',
  storage: 'bytes of the database for a transfer and a token transfer, by table and index, against limits',
  'long-chain':
    'the start on a chain of 100,000 empty blocks, against 2 s and against the start on a chain of one block',
  network: 'four validators against one: transactions, blocks, catching up of new nodes',
  idle: 'four validators without transactions: CPU of an empty block, and memory',
  import:
    'a chain of 20,000 blocks from a file, against executing it without storing; TETRAD_BENCH_BLOCKS sets how many',
  'geth-import':
    '24,000 transactions from a file, against `geth import` of GoQuorum, which TETRAD_GETH names; TETRAD_BENCH_TRANSACTIONS sets how many',
  join: 'a node joins a chain of 200,000 blocks and 2,000,000 slots by state, against limits; a smaller one also by executing it; and it is killed 30 times. TETRAD_BENCH_BLOCKS, _ACCOUNTS, _CONTRACTS, _SMALL_BLOCKS and _KILLS set other numbers, TETRAD_BENCH_PARTS (large,storages,small,kills) fewer parts, and TETRAD_BENCH_KEPT a folder that keeps what is written',
  permissions:
    'a consortium of 10,000 accounts: the check of a transaction, lists, and the start, against a network without permissions',
  extension: 'a private contract of 10,000 slots is extended to a third node, against writing them',
  raft: 'three nodes whose blocks etcd orders, against three validators',
  chaos: 'four nodes with managers and a signer, which are killed and partitioned, PostgreSQL and etcd too',
  upgrade: 'four nodes of an earlier commit, upgraded one after the other under load',
  crash: 'a node that is killed 50 times under load, and imports that are killed 30 times',
  opcodes: 'opcodes on operands that take long, in nanoseconds per gas',
  precompiles: 'precompiled contracts on their worst-case inputs, in nanoseconds per gas',
  recovery:
    'keys of a million signatures by the libsecp256k1 of the system, against the package secp256k1; TETRAD_BENCH_SIGNATURES sets how many',
  prover: 'proofs of a batch, against the bare prover on the same circuit and witness',
  'batch-sizes':
    'CPU of a proof for an operation in batches of 8 and 32, against batches of 2; TETRAD_BENCH_SIZES names others',
  rollup: 'accepting operations, against the checks alone; executing them with many accounts, against few',
  'rollup-attack':
    'inputs, hints, solved witnesses and proofs of a batch that are tampered with: each is refused, or has no effect',
  'rollup-exit':
    'leaving a rollup with 1,000 orders of dust and no operator, against ten minutes after the window',
  'rollup-game': 'hostile holders and operators of a rollup over 20,000 days, from a new seed each time',
  'consensus-simulator': 'validators, some of them faulty, in an adversarial network, one run per seed',
  evm: 'interpreter workloads, against EthereumJS in the same process',
  'evm-attack': 'contracts that run as long as possible: latency of other calls and block times meanwhile',
  'evm-fuzz': 'ten million random programs, compared with EthereumJS',
  'state-tests': 'all published state tests; TETRAD_STATE_TESTS names their folder',
};

function list(): string {
  const rows = Object.keys(CASES).map((name) => `  ${name.padEnd(20)} ${ABOUT[name] ?? ''}`.trimEnd());
  return `Usage: ./tetrad bench NAMES… | all [OPTIONS]\n\n${rows.join('\n')}\n\n${OPTIONS_USAGE}\n\nTables go to standard output, JSON and charts to .tetrad/bench.\n`;
}

/** @returns undefined after it has printed the error */
function readWords(args: readonly string[]): BenchWords | undefined {
  const all = Object.keys(CASES);
  try {
    const words = readBenchWords(args, all);
    const unknown = words.names.find((name) => !Object.hasOwn(CASES, name));
    if (unknown === undefined) return words;
    process.stderr.write(`bench: ${unknown} is not one of ${all.join(', ')}${nearest(unknown, all)}\n`);
  } catch (error) {
    if (!(error instanceof BenchWordsError)) throw error;
    process.stderr.write(`bench: ${error.message}\n`);
  }
  return undefined;
}

/** Runs the named benchmarks, or `all`; lists them without a name. Exit code 1 when a target is missed. */
async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--version')) {
    process.stdout.write(`${packageVersion(import.meta.url)}\n`);
    return 0;
  }
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    process.stdout.write(list());
    return 0;
  }
  const words = readWords(args);
  if (words === undefined) return 2;
  const folder = join(ROOT, '.tetrad', 'bench');
  await mkdir(folder, { recursive: true });
  let missed = false;
  for (const name of words.names) {
    const result = await (CASES[name] as (words: BenchWords) => Promise<BenchResult>)(words);
    process.stdout.write(`${formatTable(result)}\n\n`);
    await writeFile(join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
    await writeFile(join(folder, `${name}.svg`), drawChart(result));
    missed ||= !result.comparisons.every(holds);
  }
  return missed ? 1 : 0;
}

process.exit(await main(process.argv.slice(2)));
