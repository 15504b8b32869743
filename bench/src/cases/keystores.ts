import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey } from '@tetrad/crypto';
import { DerivationThreads, openKeyFile, writeKeyFile, type DeriveKey } from '@tetrad/keystore';
import { median, type BenchResult } from '../report/result.js';

/** Key files of a load; fewer for a quick look. */
const COUNT_VARIABLE = 'TETRAD_BENCH_KEYSTORES';
const COUNT = 500;
const PASSWORD = 'bench';
/** Single decryptions before the load and again after it. */
const SINGLES = 3;

/** Decrypting many key files of the usual cost (n = 262144) on all cores, against one at a time divided by the cores. */
export async function keystores(): Promise<BenchResult> {
  const count = readCount();
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-bench-keys-'));
  try {
    const files = await writeKeyFiles(folder, count);
    const before = await timeSingles(files);
    const seconds = await timeLoad(files);
    const singles = [...before, ...(await timeSingles(files))];
    const cores = availableParallelism();
    const limit = (median(singles) * count) / cores;
    return {
      name: 'keystores',
      comparisons: [
        {
          what: `load of ${count} key files`,
          unit: 's',
          ours: seconds,
          peer: limit,
          peerName: `one at a time ÷ ${cores} cores`,
          ratio: seconds / limit,
          target: { bound: 1.15, side: 'atMost' },
        },
      ],
      figures: [
        { what: 'one decryption', value: `${singles.map((value) => value.toFixed(3)).join(' ')} s` },
        {
          what: 'peak resident memory',
          value: `${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`,
        },
      ],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function readCount(): number {
  const text = process.env[COUNT_VARIABLE] ?? String(COUNT);
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1)
    throw new Error(`${COUNT_VARIABLE}: ${text} is not a valid count`);
  return count;
}

/** Copies of one file: each is decrypted for itself, and to write takes as long as to read. */
async function writeKeyFiles(folder: string, count: number): Promise<readonly string[]> {
  const first = await writeKeyFile(folder, {
    privateKey: generatePrivateKey(),
    password: PASSWORD,
    name: 'key-0',
  });
  const copies = Array.from({ length: count - 1 }, (_, index) => join(folder, `key-${index + 1}`));
  for (const copy of copies) await copyFile(first, copy);
  return [first, ...copies];
}

/** Seconds of one decryption with nothing beside it, several times. */
async function timeSingles(files: readonly string[]): Promise<number[]> {
  const { derive } = new DerivationThreads({ threads: 1 });
  const seconds: number[] = [];
  for (let turn = 0; turn < SINGLES; turn++) seconds.push(await timeOne(files[0] as string, derive));
  return seconds;
}

async function timeOne(file: string, derive: DeriveKey): Promise<number> {
  const started = performance.now();
  await openKeyFile(file, PASSWORD, derive);
  return (performance.now() - started) / 1000;
}

async function timeLoad(files: readonly string[]): Promise<number> {
  const { derive } = new DerivationThreads();
  const started = performance.now();
  let opened = 0;
  await Promise.all(
    files.map(async (file) => {
      await openKeyFile(file, PASSWORD, derive);
      opened += 1;
      if (opened % Math.ceil(files.length / 10) === 0)
        process.stderr.write(`  ${opened}/${files.length} key files\n`);
    }),
  );
  return (performance.now() - started) / 1000;
}
