import { runLoad } from '@tetrad/testkit';
import { startWallet, type BenchWallet } from '../bench-wallet.js';
import { callRpc } from '../call-rpc.js';
import { CONNECTIONS } from '../load.js';
import { residentMemory } from '../node-metrics.js';
import { startEcho } from '../peers.js';
import { rawBlsRate, rawSecp256k1Rate } from '../raw-signing.js';
import { median, type BenchResult, type Comparison, type Figure } from '../report/result.js';

const SECP_CALLS = 6_000;
const BLS_CALLS = 3_000;
const RUNS = 3;
const KEYS = 10_000;
const LISTS = 15;
const MEGABYTE = 1024 * 1024;
const MAX_MEMORY_MB = 200;
const DATA = Buffer.from('data of about the length of a content id').toString('base64');

/** Signatures through HTTP against the raw libraries and a bare server; ten thousand keys against a database read. */
export async function wallet(): Promise<BenchResult> {
  const ours = await startWallet();
  try {
    const memory = await readMemory(ours.pid);
    const secp = await signingCase(ours, {
      kind: 'secp256k1',
      calls: SECP_CALLS,
      bound: 0.5,
      raw: async () => rawSecp256k1Rate(SECP_CALLS),
    });
    const bls = await signingCase(ours, {
      kind: 'bls',
      calls: BLS_CALLS,
      bound: 0.9,
      raw: () => rawBlsRate(BLS_CALLS),
    });
    const lists = await listCase(ours);
    const grown = await memoryCase(ours.pid, memory);
    return {
      name: 'wallet',
      comparisons: [secp.comparison, bls.comparison, lists.comparison, grown],
      figures: [...secp.figures, ...bls.figures, ...lists.figures],
    };
  } finally {
    await ours.stop();
  }
}

interface SigningCase {
  readonly kind: 'secp256k1' | 'bls';
  readonly calls: number;
  readonly bound: number;
  readonly raw: () => Promise<number>;
}

/** Ours, the raw library and the bare server in turns; the smaller of the latter two is the limit. */
async function signingCase(
  ours: BenchWallet,
  { kind, calls, bound, raw }: SigningCase,
): Promise<{ comparison: Comparison; figures: Figure[] }> {
  const echo = await startEcho();
  const address = await ours.newKey(kind);
  const runs: { mine: number; library: number; bare: number }[] = [];
  // The first run warms everything up and is not counted.
  for (let run = 0; run <= RUNS; run++) {
    const library = await raw();
    const bare = await callRate(echo.url, address, calls);
    const mine = await callRate(ours.url, address, calls);
    if (run > 0) runs.push({ mine, library, bare });
  }
  await echo.stop();
  const limitOf = ({ library, bare }: { library: number; bare: number }) => Math.min(library, bare);
  const library = median(runs.map((run) => run.library));
  const bare = median(runs.map((run) => run.bare));
  return {
    comparison: {
      what: `${kind} signatures, ${CONNECTIONS} connections`,
      unit: '/s',
      ours: median(runs.map(({ mine }) => mine)),
      peer: median(runs.map(limitOf)),
      peerName: library < bare ? 'raw library' : 'bare node:http echo',
      ratio: median(runs.map((run) => run.mine / limitOf(run))),
      target: { bound, side: 'atLeast' },
    },
    figures: [
      { what: kind, value: `raw library ${library.toFixed(0)}/s, bare HTTP echo ${bare.toFixed(0)}/s` },
    ],
  };
}

async function callRate(url: string, address: string, calls: number): Promise<number> {
  const params = Array.from({ length: calls }, () => [address, DATA]);
  const from = performance.now();
  const outcomes = await runLoad(params, { url, connections: CONNECTIONS, method: 'Coin.WalletSign' });
  const seconds = (performance.now() - from) / 1000;
  const failed = outcomes.find(({ result }) => result === undefined);
  if (failed !== undefined) throw new Error(`a call failed: ${failed.error?.message ?? failed.lost}`);
  return calls / seconds;
}

/** The list over HTTP against one read of the same rows by the driver. */
async function listCase(ours: BenchWallet): Promise<{ comparison: Comparison; figures: Figure[] }> {
  await fillWallet(ours);
  const first = await timeOf(() => callRpc(ours.url, 'Coin.WalletList', []));
  const lists: number[] = [];
  const reads: number[] = [];
  for (let run = 0; run < LISTS; run++) {
    reads.push(await timeOf(() => ours.database.pool.query('SELECT * FROM wallet_key')));
    lists.push(await timeOf(() => callRpc(ours.url, 'Coin.WalletList', [])));
  }
  return {
    comparison: {
      what: `list of ${KEYS} keys`,
      unit: 'ms',
      ours: median(lists),
      peer: median(reads),
      peerName: 'one read of the rows',
      ratio: median(lists) / median(reads),
      target: { bound: 3, side: 'atMost' },
    },
    figures: [{ what: 'first list after a change', value: `${first.toFixed(0)} ms` }],
  };
}

/** Rows with distinct addresses; their sealed keys do not matter for the list. */
async function fillWallet({ database }: BenchWallet): Promise<void> {
  await database.pool.query(
    `INSERT INTO wallet_key (address, kind, generation, cipher, nonce, sealed)
     SELECT '\\x01'::bytea || substr(sha256(number::text::bytea), 1, 20), 1, 1, 'aes-256-gcm',
            substr(sha256(number::text::bytea), 1, 12), sha256('a'::bytea) || substr(sha256('b'::bytea), 1, 16)
       FROM generate_series(1, $1) AS number`,
    [KEYS],
  );
}

async function memoryCase(pid: number, emptyMb: number): Promise<Comparison> {
  const grown = (await readMemory(pid)) - emptyMb;
  return {
    what: `memory with ${KEYS} keys beyond an empty wallet`,
    unit: 'MB',
    ours: grown,
    peer: MAX_MEMORY_MB,
    peerName: 'limit',
    ratio: grown / MAX_MEMORY_MB,
    target: { bound: 1, side: 'atMost' },
  };
}

async function readMemory(pid: number): Promise<number> {
  return ((await residentMemory(pid)) ?? 0) / MEGABYTE;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
