import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Trouble, callRpc, victimsOf } from '@tetrad/devnet';
import { seededRandom, until } from '@tetrad/testkit';
import { StatementCount, agreementOf, untilAgreed, type AgreementMetrics } from '../agreement-metrics.js';
import { withLinkedParties, type LinkedParties } from '../linked-parties.js';
import type { BenchResult, Comparison } from '../report/result.js';
import { createContracts, type SoakContract } from '../soak-contracts.js';
import { SoakLoad } from '../soak-load.js';

const NODES = 3;
/** Random transactions; TETRAD_BENCH_TRANSACTIONS sets another number, TETRAD_BENCH_SEED other ones; TETRAD_BENCH_SECONDS ends them earlier. */
const DEFAULT_TRANSACTIONS = 10_000;
const DEFAULT_SECONDS = 24 * 3_600;
const DEFAULT_SEED = 20_261_128;
/** Between two kills, and between two changes of the links to the managers, in ms. */
const KILL_EVERY_MS = 15_000;
const LINKS_EVERY_MS = 1_000;
/** Longest time by which what passes a link is late: connections differ, so that messages overtake each other. */
const MAX_DELAY_MS = 2_000;
const PARTITION_MS = 10_000;
/** How long answers are waited for, each of both times; what has none by then is reported. TETRAD_BENCH_AGREED_SECONDS sets another time. */
const AGREED_MS = 1_000 * Number(process.env['TETRAD_BENCH_AGREED_SECONDS'] ?? 300);
/** Blocks until a node has taken up what it is asked for. */
const SHOWN_AFTER = 5;
/** Blocks within which all is agreed on once everything is up. */
const SETTLED_WITHIN = 120;
const FOUND = 'a party has another result of a private transaction';
const CONTRADICTED = 'a party has signed two statements that contradict each other';

interface Soak extends LinkedParties {
  readonly random: () => number;
  readonly say: (line: string) => void;
}

/**
 * Random private transactions of three parties, whose nodes, managers and PostgreSQL are killed, and whose managers reach each other late
 * and in another order; equal parties must never be said to differ.
 */
export function agreementSoak(): Promise<BenchResult> {
  const count = Number(process.env['TETRAD_BENCH_TRANSACTIONS'] ?? DEFAULT_TRANSACTIONS);
  const seed = Number(process.env['TETRAD_BENCH_SEED'] ?? DEFAULT_SEED);
  const began = Date.now();
  const say = (line: string) =>
    process.stderr.write(`  ${((Date.now() - began) / 1_000).toFixed(0)} s: ${line}\n`);
  return withLinkedParties(NODES, async (parties) => {
    const soak: Soak = { ...parties, random: seededRandom(seed), say };
    const { nodes, endpoints } = parties.linked.network;
    const statements = new StatementCount(nodes);
    const contracts = await createContracts(endpoints.nodes);
    const { load, trouble } = await makeTrouble(soak, contracts, count);
    const found = await compare(soak);
    const apart = await contractsApart(soak, contracts);
    const [stated, blocks] = [await statements.end(), await headOf(soak)];
    return report({
      load,
      trouble,
      found,
      apart,
      blocks,
      seed,
      stated,
      seconds: (Date.now() - began) / 1_000,
    });
  });
}

async function makeTrouble({ linked, random, say }: Soak, contracts: readonly SoakContract[], count: number) {
  const { network, links, managerLinks, postgresFolder } = linked;
  const victims = victimsOf({ network, postgresFolder });
  const nodes = network.nodes.length;
  const trouble = new Trouble({ victims, nodes, links, random, say, partitionMs: PARTITION_MS });
  const load = new SoakLoad({ nodes: network.endpoints.nodes, contracts, count, random, say });
  let failure: unknown;
  let kills = 0;
  const killing = setInterval(() => {
    try {
      // Each fourth time the nodes are parted instead, and the managers are not.
      if (++kills % 4 === 0) trouble.part();
      else trouble.kill();
    } catch (error) {
      failure ??= error;
      load.stop();
    }
  }, KILL_EVERY_MS);
  const limitMs = 1_000 * Number(process.env['TETRAD_BENCH_SECONDS'] ?? DEFAULT_SECONDS);
  const ending = setTimeout(() => load.stop(), limitMs);
  const delaying = setInterval(() => {
    for (const link of managerLinks) link.set({ kind: 'delay', ms: random() * random() * MAX_DELAY_MS });
  }, LINKS_EVERY_MS);
  try {
    await load.done;
  } finally {
    clearTimeout(ending);
    clearInterval(killing);
    clearInterval(delaying);
    for (const link of managerLinks) link.heal();
    await trouble.end();
  }
  if (failure !== undefined) throw failure;
  say(`${load.acknowledged.size} transactions are acknowledged; everything is up again`);
  return { load, trouble };
}

interface Wait {
  readonly blocks: number;
  /** Whether all was agreed on by then. */
  readonly isAgreed: boolean;
}

interface Found {
  /** How long answers were waited for, each time. */
  readonly waits: readonly Wait[];
  /** After all is stated, and after all was stated and compared anew. */
  readonly metrics: readonly AgreementMetrics[];
  /** Lines of the logs of all nodes, of any time. */
  readonly divergences: number;
  readonly contradictions: number;
}

/** Waits until all parties have answered, has all blocks compared anew, and waits again. */
async function compare({ linked, folder, say }: Soak): Promise<Found> {
  const { nodes } = linked.network;
  const settle = async (): Promise<Wait> => {
    const before = await headOf({ linked });
    // What was asked for or sent last shows in the metrics by then.
    await until(async () => (await headOf({ linked })) >= before + SHOWN_AFTER);
    const isAgreed = await untilAgreed(nodes, AGREED_MS).then(
      () => true,
      (error: Error) => {
        say(error.message);
        return false;
      },
    );
    return { blocks: (await headOf({ linked })) - before, isAgreed };
  };
  const waits = [await settle()];
  const first = await Promise.all(nodes.map(agreementOf));
  say(`answers were waited for ${waits[0]?.blocks} blocks; all blocks are compared anew`);
  for (const { rpc } of nodes) await callRpc(rpc, 'privacy_compareSince', [0]);
  waits.push(await settle());
  const metrics = [...first, ...(await Promise.all(nodes.map(agreementOf)))];
  const logs = await Promise.all(nodes.map(({ name }) => readFile(join(folder, `${name}.log`), 'utf8')));
  const lines = logs.flatMap((log) => log.split('\n'));
  return {
    waits,
    metrics,
    divergences: lines.filter((line) => line.includes(FOUND)).length,
    contradictions: lines.filter((line) => line.includes(CONTRADICTED)).length,
  };
}

async function headOf({ linked }: Pick<LinkedParties, 'linked'>): Promise<number> {
  return Number(await callRpc(linked.network.nodes[0]?.rpc ?? '', 'eth_blockNumber', []));
}

/** Contracts of which the parties do not have one state; otherwise that none is said to differ would prove nothing. */
async function contractsApart({ linked }: Soak, contracts: readonly SoakContract[]): Promise<string[]> {
  const apart: string[] = [];
  for (const { address, parties } of contracts) {
    const roots = await Promise.all(
      parties.map((party) => callRpc(linked.network.nodes[party]?.rpc ?? '', 'eth_storageRoot', [address])),
    );
    if (new Set(roots).size > 1) apart.push(address);
  }
  return apart;
}

interface Report {
  readonly load: SoakLoad;
  readonly trouble: Trouble;
  readonly found: Found;
  readonly apart: readonly string[];
  readonly blocks: number;
  readonly seed: number;
  readonly stated: number;
  readonly seconds: number;
}

/** Those without an answer when the wait ended, or if that took longer: a wait that is cut short shows nothing. */
function openTooLong({ waits, metrics }: Found): number {
  if (waits.every(({ blocks, isAgreed }) => isAgreed && blocks <= SETTLED_WITHIN)) return 0;
  return Math.max(1, ...metrics.map(({ open }) => open));
}

function report({ load, trouble, found, apart, blocks, seed, stated, seconds }: Report): BenchResult {
  const most = (of: (metrics: AgreementMetrics) => number) => Math.max(...found.metrics.map(of));
  const none = (what: string, unit: string, ours: number): Comparison => ({
    what,
    unit,
    ours,
    peer: 0,
    peerName: 'none',
    ratio: ours,
    target: { bound: 0, side: 'atMost' },
  });
  return {
    name: 'agreement-soak',
    comparisons: [
      none(
        'reports that equal parties differ',
        'reports',
        found.divergences + most(({ diverged }) => diverged),
      ),
      none(
        'statements that contradict each other',
        'pairs',
        found.contradictions + most((one) => one.contradicted),
      ),
      none('contracts that parties have differently', 'contracts', apart.length),
      none(`blocks not agreed on within ${SETTLED_WITHIN} blocks`, 'blocks', openTooLong(found)),
    ],
    figures: [
      { what: 'private transactions acknowledged', value: String(load.acknowledged.size) },
      { what: 'sends that were not', value: String(load.refused) },
      { what: 'statements sent, at least', value: String(stated) },
      { what: 'blocks', value: String(blocks) },
      { what: 'seconds', value: seconds.toFixed(0) },
      {
        what: 'blocks until all was agreed on, and anew',
        value: found.waits
          .map(({ blocks, isAgreed }) => `${blocks}${isAgreed ? '' : ', not all'}`)
          .join('; '),
      },
      { what: 'blocks that cannot be told', value: String(most(({ undisclosed }) => undisclosed)) },
      ...[...trouble.kills].map(([kind, kills]) => ({ what: `killed: ${kind}`, value: String(kills) })),
      { what: 'network partitions', value: String(trouble.partitions) },
      { what: 'processes that ended by themselves', value: String(trouble.restarts) },
      { what: 'seed', value: String(seed) },
    ],
  };
}
