import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@tetrad/embedded-postgres';
import {
  encrypt,
  moneyOrderWords,
  multiplyGenerator,
  operationHash,
  sign,
  verifySignature,
  encodeWord,
  type JointKey,
  type MoneyOrderCreation,
  type Point,
  type Signature,
} from '@tetrad/rollup-crypto';
import {
  AccountDirectory,
  OperationAcceptance,
  QueuePace,
  Refusals,
  TokenDirectory,
  createCheckPool,
} from '@tetrad/rollup-operations';
import { parseAddress, systemClock } from '@tetrad/types';
import { Sequencer } from '../sequencer.js';
import { TOKEN, openBenchRollup, type BenchRollup } from './bench-rollup-database.js';

/**
 * Measures accepting and executing operations on a durable PostgreSQL, and prints the figures as JSON: what `bench rollup`
 * runs.
 * Takes operations a round, rounds, accounts of the large rollup.
 */
const [count = 2_000, rounds = 3, many = 1_000_000] = process.argv.slice(2).map(Number);
const FEW = 1_000;
const DOMAIN = 31337n;
const ADDRESS = parseAddress('0xca843569e3427144cead5e4d5999a3d0ccf92b8e');
const KEYS = Array.from({ length: 200 }, (_, index) => BigInt(index + 1_000));
const KEY: JointKey = { user: multiplyGenerator(7n), operator: multiplyGenerator(7n) };
/** ρ of every ciphertext here: nothing of it is secret. */
const FACTOR = 2n ** 250n + 12_345n;

type Signed = MoneyOrderCreation & { readonly signature: Signature };

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-bench-rollup-'));
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') });
  const url = server.url('postgres');
  try {
    const small = await openBenchRollup(url, { name: 'small', accounts: FEW, keys: KEYS });
    const large = await openBenchRollup(url, { name: 'large', accounts: many, keys: KEYS });
    const figures = {
      cores: cpus().length,
      ...(await acceptance(small)),
      ...(await execution(small, large)),
    };
    await small.close();
    await large.close();
    process.stdout.write(`${JSON.stringify({ ...figures, memory: process.memoryUsage().rss })}\n`);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Nonces of the accounts, which go on from round to round. */
const nonces = new Map<string, number>();

function nextNonce(rollup: BenchRollup, place: number): number {
  const key = `${rollup.name}/${place}`;
  const nonce = (nonces.get(key) ?? 0) + 1;
  nonces.set(key, nonce);
  return nonce;
}

/** Operations in a second: accepted on one checking thread, and what one thread only verifies, or only checks. */
async function acceptance(rollup: BenchRollup) {
  const rates = {
    verified: [] as number[],
    transfers: [] as number[],
    orders: [] as number[],
    checks: [] as number[],
  };
  const { store } = rollup;
  const pool = createCheckPool({ domain: DOMAIN, workers: 1, maxWaiting: count });
  const accounts = new AccountDirectory(store);
  const door = new OperationAcceptance({
    store,
    pool,
    accounts,
    tokens: new TokenDirectory(store),
    minOrderAmount: 0n,
    minTransferAmount: 0n,
    refusals: new Refusals(new QueuePace(store, systemClock)),
  });
  const sequencer = new Sequencer(store, { domain: DOMAIN, batchSize: 2 });
  for (let round = 0; round <= rounds; round += 1) {
    const transfers = signedTransfers(rollup);
    const orders = signedOrders(rollup);
    const measured = {
      verified: await rateOf(async () => verifyAll(transfers)),
      transfers: await rateOf(() =>
        Promise.all(transfers.map((one) => door.createOutboundTransfer(one.operation))),
      ),
      checks: await rateOf(() =>
        Promise.all(
          orders.map(({ operation, publicKey }) =>
            pool.check({ operation, publicKey, encryption: { key: KEY, randomizationFactor: FACTOR } }),
          ),
        ),
      ),
      orders: await rateOf(() =>
        Promise.all(orders.map((one) => door.createMoneyOrder(one.operation, encodeWord(FACTOR)))),
      ),
    };
    while ((await sequencer.executePending()).executed > 0);
    // The first round warms everything up.
    if (round > 0)
      for (const name of Object.keys(rates) as (keyof typeof rates)[]) rates[name].push(measured[name]);
  }
  await pool.close();
  return rates;
}

function signedTransfers(rollup: BenchRollup) {
  return Array.from({ length: count }, (_, index) => {
    const place = index % KEYS.length;
    const fields = { fromAccountId: rollup.ids[place] as number, toEthereumAddress: ADDRESS, tokenId: TOKEN };
    const operation = {
      kind: 'outboundTransfer',
      ...fields,
      amount: 1n,
      nonce: nextNonce(rollup, place),
    } as const;
    const [secretKey, hash] = [KEYS[place] as bigint, operationHash(DOMAIN, operation)];
    return {
      operation: { ...operation, signature: sign(secretKey, hash) },
      hash,
      publicKey: multiplyGenerator(secretKey),
    };
  });
}

function verifyAll(signed: ReturnType<typeof signedTransfers>): void {
  for (const { operation, hash, publicKey } of signed) {
    if (!verifySignature(publicKey, hash, operation.signature)) throw new Error('a signature is not valid');
  }
}

function signedOrders(rollup: BenchRollup): { operation: Signed; publicKey: Point }[] {
  return Array.from({ length: count }, (_, index) => {
    const place = index % KEYS.length;
    const operation = payment(rollup, place);
    const secretKey = KEYS[place] as bigint;
    const signature = sign(secretKey, operationHash(DOMAIN, operation));
    return { operation: { ...operation, signature }, publicKey: multiplyGenerator(secretKey) };
  });
}

function payment(rollup: BenchRollup, place: number): MoneyOrderCreation {
  const order = {
    fromAccountId: rollup.ids[place] as number,
    toAccountId: rollup.ids[(place + 1) % KEYS.length] as number,
    tokenId: TOKEN,
    amount: 1n,
    blindingFactor: 99n,
  };
  const ciphertext = encrypt(moneyOrderWords(order), KEY, FACTOR);
  return { kind: 'createMoneyOrder', order, nonce: nextNonce(rollup, place), ciphertext };
}

/** Operations in a second that are executed, in turns with few accounts and with many. */
async function execution(small: BenchRollup, large: BenchRollup) {
  const rates: { few: number[]; many: number[] } = { few: [], many: [] };
  const sequencers = [small, large].map(
    ({ store }) => new Sequencer(store, { domain: DOMAIN, batchSize: 2 }),
  );
  const signature = sign(1n, 1n);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, rollup] of [small, large].entries()) {
      const operations = Array.from({ length: count }, (_, one) => ({
        ...payment(rollup, one % KEYS.length),
        signature,
      }));
      await Promise.all(
        operations.map((operation) =>
          rollup.store.accept({ hash: operationHash(DOMAIN, operation), operation }),
        ),
      );
      const rate = await rateOf(async () => {
        let executed = 0;
        while (executed < count)
          executed += (await (sequencers[index] as Sequencer).executePending()).executed;
      });
      if (round > 0) (index === 0 ? rates.few : rates.many).push(rate);
    }
  }
  return rates;
}

async function rateOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (1_000 * count) / (performance.now() - start);
}

await main();
