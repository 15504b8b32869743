import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressFromPrivateKey, keccak256 } from '@tetrad/crypto';
import { createDatabase } from '@tetrad/db';
import { freePorts, openSigner } from '@tetrad/devnet';
import { startEmbeddedPostgres } from '@tetrad/embedded-postgres';
import { Pkcs11Token, type ServiceKey } from '@tetrad/remote-keys';
import { locateSoftHsm, percentile, runLoad, startGcpKmsServer } from '@tetrad/testkit';
import { systemClock } from '@tetrad/types';
import { callRpc } from '../call-rpc.js';
import { CONNECTIONS } from '../load.js';
import { startNode, type BenchNode } from '../peers.js';
import { processCpu } from '../process-cpu.js';
import { median, type BenchResult, type Comparison, type Figure } from '../report/result.js';

const RUNS = 3;
const SIGNATURES = 1_000;
/** One after the other, for the latency. */
const SINGLES = 200;
const WANTED_RATE = 200;
const WANTED_MS = 5;
const REFERENCES = 10_000;
const WANTED_SECONDS = 10;
const CHAIN_ID = 1337;

interface Measured {
  readonly comparisons: readonly Comparison[];
  readonly figures: readonly Figure[];
}

/** Signatures of SoftHSM through a whole signer, beside those of the token itself; loading of many files that name keys. */
export async function keyServices(): Promise<BenchResult> {
  const node = await startNode({ services: 'node,signer', words: ['--signer-key-source', 'pkcs11'] });
  try {
    const parts = [await measureHsm(node), await measureLoad(node)];
    return {
      name: 'key-services',
      comparisons: parts.flatMap(({ comparisons }) => comparisons),
      figures: parts.flatMap(({ figures }) => figures),
    };
  } finally {
    await node.stop();
  }
}

async function measureHsm(node: BenchNode): Promise<Measured> {
  const token = openToken(node);
  try {
    return await compareWithToken(node, token.key({ label: 'signer' }));
  } finally {
    token.close();
  }
}

/** The token of the network's signer, in sessions of this process. */
function openToken({ folder }: BenchNode): Pkcs11Token {
  const located = locateSoftHsm();
  if ('problem' in located) throw new Error(located.problem);
  const hsm = join(folder, 'signer', 'hsm');
  process.env['SOFTHSM2_CONF'] = join(hsm, 'softhsm2.conf');
  return new Pkcs11Token(
    {
      library: located.library,
      tokenLabel: 'tetrad',
      pinFile: join(hsm, 'pin'),
      sessions: 8,
      timeoutMs: 10_000,
    },
    { clock: systemClock, readText: (path) => readFile(path, 'utf8') },
  );
}

async function compareWithToken({ network }: BenchNode, key: ServiceKey): Promise<Measured> {
  const { signer } = network.endpoints;
  if (signer === null) throw new Error('the network has no signer');
  const transfer = { from: signer.address, to: signer.address, value: '0x1', gas: '0x5208', gasPrice: '0x0' };
  const rates: Record<'sign' | 'send', number[]> = { sign: [], send: [] };
  let [direct, through]: [number[], number[]] = [[], []];
  for (let run = 0; run <= RUNS; run += 1) {
    const [own, whole] = await timeSingles(key, signer);
    const sign = await rateOf(signer.rpc, 'eth_sign', Array(SIGNATURES).fill([signer.address, '0x01']));
    const send = await rateOf(signer.rpc, 'eth_sendTransaction', Array(SIGNATURES).fill([transfer]));
    // The first run warms all up.
    if (run === 0) continue;
    [direct, through] = [direct.concat(own), through.concat(whole)];
    rates.sign.push(sign);
    rates.send.push(send);
  }
  const added = percentile(through, 0.5) - percentile(direct, 0.5);
  const atLeast = (what: string, rate: number): Comparison => ({
    what: `${what} with SoftHSM, ${CONNECTIONS} connections`,
    unit: 'signatures/s',
    ours: rate,
    peer: WANTED_RATE,
    peerName: 'the aim',
    ratio: rate / WANTED_RATE,
    target: { bound: 1, side: 'atLeast' },
  });
  return {
    comparisons: [
      atLeast('eth_sign', median(rates.sign)),
      atLeast('eth_sendTransaction', median(rates.send)),
      {
        what: 'eth_sign through the signer, beyond the token itself',
        unit: 'ms',
        ours: added,
        peer: WANTED_MS,
        peerName: 'the aim',
        ratio: added / WANTED_MS,
        target: { bound: 1, side: 'atMost' },
      },
    ],
    figures: [
      { what: 'a signature of the token itself', value: timesOf(direct) },
      { what: 'eth_sign, one after the other', value: timesOf(through) },
    ],
  };
}

function timesOf(milliseconds: readonly number[]): string {
  const [p50, p99] = [percentile(milliseconds, 0.5), percentile(milliseconds, 0.99)];
  return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
}

/** In turns, so that both have the same machine. */
async function timeSingles(
  key: ServiceKey,
  { rpc, address }: { readonly rpc: string; readonly address: string },
): Promise<readonly [direct: number[], through: number[]]> {
  const [direct, through]: [number[], number[]] = [[], []];
  const { signal } = new AbortController();
  for (let made = 0; made < SINGLES; made += 1) {
    const digest = keccak256(Uint8Array.of(made));
    direct.push(await millisecondsOf(() => key.sign(digest, signal)));
    through.push(await millisecondsOf(() => callRpc(rpc, 'eth_sign', [address, '0x01'])));
  }
  return [direct, through];
}

async function millisecondsOf(call: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await call();
  return performance.now() - started;
}

async function rateOf(url: string, method: string, params: readonly (readonly unknown[])[]): Promise<number> {
  const started = performance.now();
  const outcomes = await runLoad(params, { url, connections: CONNECTIONS, method });
  const seconds = (performance.now() - started) / 1000;
  const failed = outcomes.find(({ error, lost }) => error !== undefined || lost !== undefined);
  if (failed !== undefined) throw new Error(`${method}: ${failed.error?.message ?? failed.lost}`);
  return params.length / seconds;
}

/** From the start of the process until each key is served. */
async function measureLoad({ url }: BenchNode): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-bench-references-'));
  const kms = await startGcpKmsServer();
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') });
  try {
    const keys = join(folder, 'keys');
    await writeReferences(keys, kms);
    const base = await freePorts(2);
    const signer = await openSigner({
      dataDir: folder,
      chainId: CHAIN_ID,
      keyFlags: ['--multikey-signer-directory', keys],
      databaseUrl: await createDatabase(postgres.url('postgres'), 'signer'),
      downstreamPort: Number(new URL(url).port),
      port: base,
      opsPort: base + 1,
    });
    const started = performance.now();
    // It is ready when all are loaded.
    await signer.start();
    const seconds = (performance.now() - started) / 1000;
    const cpu = await processCpu(signer.pid);
    const accounts = (await callRpc(`http://127.0.0.1:${base}`, 'eth_accounts', [])) as readonly string[];
    await signer.stop();
    if (accounts.length !== REFERENCES)
      throw new Error(`${accounts.length} of ${REFERENCES} keys are loaded`);
    return loadResult(seconds, cpu);
  } finally {
    await Promise.all([kms.stop(), postgres.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeReferences(
  folder: string,
  kms: Awaited<ReturnType<typeof startGcpKmsServer>>,
): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, 'account.json'), kms.accountFile);
  for (let index = 0; index < REFERENCES; index += 1) {
    const privateKey = keccak256(Buffer.from(`key ${index}`));
    const version = `projects/bank/locations/l/keyRings/desks/cryptoKeys/desk-${index}/cryptoKeyVersions/1`;
    kms.addKey(version, privateKey);
    await writeFile(
      join(folder, `${addressFromPrivateKey(privateKey).slice(2)}.toml`),
      `[signing]\ntype = "gcp-kms-signer"\nkey-version = "${version}"\ncredentials-file = "account.json"\nendpoint = "${kms.url}"\n`,
    );
  }
}

function loadResult(seconds: number, cpu: number): Measured {
  return {
    comparisons: [
      {
        what: `start of a signer with ${REFERENCES} files that name keys of a service`,
        unit: 's',
        ours: seconds,
        peer: WANTED_SECONDS,
        peerName: 'the aim',
        ratio: seconds / WANTED_SECONDS,
        target: { bound: 1, side: 'atMost' },
      },
    ],
    figures: [{ what: 'CPU of that start', value: `${cpu.toFixed(1)} s` }],
  };
}
