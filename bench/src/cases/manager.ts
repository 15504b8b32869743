import { startManagers, type BenchManagers } from '../bench-manager.js';
import { rawManagerRate } from '../raw-manager.js';
import { median, type BenchResult } from '../report/result.js';

const COUNT = 3_000;
const RUNS = 3;
const CONCURRENCY = 64;
/** About the size of a contract call. */
const PAYLOAD = Buffer.alloc(200, 7);

/** `send` to two recipients at two other managers, against boxing, hashing and inserting alone in one process. */
export async function manager(): Promise<BenchResult> {
  const managers = await startManagers();
  try {
    const { databaseUrl } = managers;
    const raw = { databaseUrl, payload: PAYLOAD, concurrency: CONCURRENCY };
    await sendRate(managers, COUNT / 3);
    await rawManagerRate({ ...raw, count: COUNT / 3 });
    const [ours, limits]: [number[], number[]] = [[], []];
    for (let run = 0; run < RUNS; run += 1) {
      ours.push(await sendRate(managers, COUNT));
      limits.push(await rawManagerRate({ ...raw, count: COUNT }));
    }
    const [own, limit] = [median(ours), median(limits)];
    return {
      name: 'manager',
      comparisons: [
        {
          what: 'send to two recipients',
          unit: 'payloads/s',
          ours: own,
          peer: limit,
          peerName: 'box, hash, insert',
          ratio: own / limit,
          target: { bound: 0.5, side: 'atLeast' },
        },
      ],
      figures: [
        { what: 'our runs', value: ours.map((rate) => rate.toFixed(0)).join(' ') },
        { what: 'limit runs', value: limits.map((rate) => rate.toFixed(0)).join(' ') },
      ],
    };
  } finally {
    await managers.stop();
  }
}

async function sendRate({ send }: BenchManagers, count: number): Promise<number> {
  const payload = PAYLOAD.toString('base64');
  let left = count;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (left > 0) {
        left -= 1;
        await send(payload);
      }
    }),
  );
  return count / ((performance.now() - started) / 1_000);
}
