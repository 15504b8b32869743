import { connectDatabase, type Database } from '@tetrad/db';
import { callRpc } from '../call-rpc.js';
import { fillConsortium } from '../consortium.js';
import { LoadMaker, measureLoad } from '../load.js';
import { startNode, type BenchNode } from '../peers.js';
import { processCpu } from '../process-cpu.js';
import { median, type BenchResult, type Comparison } from '../report/result.js';

const SIZE = { orgs: 1_000, accounts: 10_000 };
/** Of each organization a node, an account and the role of its admin. */
const ENTRIES = SIZE.accounts + 3 * SIZE.orgs;
const TRANSFERS = 10_000;
const TURNS = 5;
const READS = 15;
const LISTS = ['orgList', 'acctList', 'nodeList', 'roleList'] as const;

type ListName = (typeof LISTS)[number];

/**
 * A permissioned network of 1,000 organizations and 10,000 accounts: what checking each transaction costs against a
 * network without permissions, lists against reading as many rows of a table, and reading all entries at the start.
 */
export async function permissions(): Promise<BenchResult> {
  const plain = await startNode();
  const permitted = await startNode({ words: ['--permissioned'] });
  try {
    const empty = await startSeconds(permitted);
    const makers = new Map([plain, permitted].map((node) => [node, new LoadMaker()]));
    const admission = await compareAdmission({ plain, permitted, makers });
    const filling = performance.now();
    await fillConsortium(permitted, SIZE);
    const filled = (performance.now() - filling) / 1_000;
    const lists = await compareLists(permitted);
    const filledUp = await compareAdmission({ plain, permitted, makers });
    const full = await startSeconds(permitted);
    const reading = ENTRIES / Math.max(full - empty, 0.01);
    return {
      name: 'permissions',
      comparisons: [
        admission.comparison,
        ...lists,
        {
          what: 'entries read at the start',
          unit: 'a second',
          ours: reading,
          peer: 5_000,
          peerName: '5,000 a second',
          ratio: reading / 5_000,
          target: { bound: 1, side: 'atLeast' },
        },
      ],
      figures: [
        { what: 'runs, µs', value: admission.runs },
        {
          what: 'with all entries',
          value: `${filledUp.comparison.ratio.toFixed(3)} of it without permissions; ${filledUp.runs}`,
        },
        {
          what: 'start',
          value: `${empty.toFixed(2)} s with few entries, ${full.toFixed(2)} s with ${ENTRIES}`,
        },
        { what: 'filling the contracts', value: `${filled.toFixed(0)} s` },
      ],
    };
  } finally {
    await permitted.stop();
    await plain.stop();
  }
}

/** Median seconds until a new process of the node serves. */
async function startSeconds({ network, url }: BenchNode): Promise<number> {
  const [first] = network.nodes;
  if (first === undefined) throw new Error('the network has no node');
  const times: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    await first.stop();
    const started = performance.now();
    await first.start();
    await callRpc(url, 'eth_blockNumber', []);
    times.push((performance.now() - started) / 1_000);
  }
  return median(times);
}

interface Networks {
  readonly plain: BenchNode;
  readonly permitted: BenchNode;
  /** Of the load of each. */
  readonly makers: ReadonlyMap<BenchNode, LoadMaker>;
}

/**
 * CPU of a transfer, from its submission to its block, in turns.
 * @returns the runs as text
 */
async function compareAdmission({ plain, permitted, makers }: Networks): Promise<{
  readonly comparison: Comparison;
  readonly runs: string;
}> {
  const cpu: Record<'plain' | 'permitted', number[]> = { plain: [], permitted: [] };
  const measure = async (node: BenchNode) => {
    const maker = makers.get(node) as LoadMaker;
    const raws = maker.transfers(TRANSFERS);
    const before = await processCpu(pidOf(node));
    await measureLoad(node.url, raws, maker.reached());
    return (((await processCpu(pidOf(node))) - before) / TRANSFERS) * 1e6;
  };
  await measure(plain);
  await measure(permitted);
  for (let turn = 0; turn < TURNS; turn += 1) {
    cpu.plain.push(await measure(plain));
    cpu.permitted.push(await measure(permitted));
  }
  const [ours, peer] = [median(cpu.permitted), median(cpu.plain)];
  const runs = (values: readonly number[]) => values.map((value) => value.toFixed(0)).join(' ');
  return {
    comparison: {
      what: 'CPU of a transfer',
      unit: 'µs',
      ours,
      peer,
      peerName: 'without permissions',
      ratio: ours / peer,
      target: { bound: 1.03, side: 'atMost' },
    },
    runs: `${runs(cpu.permitted)}; without ${runs(cpu.plain)}`,
  };
}

function pidOf({ network: { nodes } }: BenchNode): number {
  const [first] = nodes;
  if (first === undefined) throw new Error('the network has no node');
  return first.pid;
}

/** Each list over HTTP, against the same entries as rows of a table of the node's database server. */
async function compareLists(node: BenchNode): Promise<Comparison[]> {
  const url = node.network.nodes[0]?.startCommand.environment['TETRAD_NODE_DATABASE_URL'];
  const database = await connectDatabase({ url: url ?? '', poolSize: 1 });
  try {
    const comparisons: Comparison[] = [];
    for (const list of LISTS) comparisons.push(await compareList(node, list, database));
    return comparisons;
  } finally {
    await database.close();
  }
}

async function compareList({ url }: BenchNode, list: ListName, { pool }: Database): Promise<Comparison> {
  const entries = (await callRpc(url, `chainPermission_${list}`, [])) as readonly object[];
  await pool.query(`CREATE TABLE bench_${list} (id serial PRIMARY KEY, entry jsonb NOT NULL)`);
  await pool.query(`INSERT INTO bench_${list} (entry) SELECT * FROM jsonb_array_elements($1::jsonb)`, [
    JSON.stringify(entries),
  ]);
  const [ours, rows]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < READS; turn += 1) {
    ours.push(await milliseconds(() => callRpc(url, `chainPermission_${list}`, [])));
    rows.push(await milliseconds(() => pool.query(`SELECT entry FROM bench_${list} ORDER BY id`)));
  }
  await pool.query(`DROP TABLE bench_${list}`);
  const [own, peer] = [median(ours), median(rows)];
  return {
    what: `${list} of ${entries.length}`,
    unit: 'ms',
    ours: own,
    peer,
    peerName: 'rows of a table',
    ratio: own / peer,
    target: { bound: 5, side: 'atMost' },
  };
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
