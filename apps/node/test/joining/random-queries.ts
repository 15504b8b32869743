import { expect } from '@jest/globals';
import { seededRandom, testSeed, until } from '@tetrad/testkit';
import { heightAt, type JoinedNode } from './joined-node.js';

/** Calls that are sent together. */
const BATCH = 40;
/** Slots that are asked for are below it. */
const SLOTS = 12;

/** A method with its parameters. */
type Query = readonly [method: string, params: readonly unknown[]];

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** What of a chain can be asked about. */
interface Subjects {
  readonly addresses: readonly string[];
  /** Transactions after the joining. */
  readonly transactions: readonly string[];
  readonly joinedBlock: number;
  readonly head: number;
}

interface SeenBlock {
  readonly miner: string;
  readonly transactions: readonly {
    readonly hash: string;
    readonly from: string;
    readonly to: string | null;
  }[];
}

const hex = (value: number) => `0x${value.toString(16)}`;

async function ask(url: string, queries: readonly Query[]): Promise<readonly Answer[]> {
  const calls = queries.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(calls) });
  const answers = (await response.json()) as readonly Answer[];
  return [...answers].sort((one, other) => one.id - other.id);
}

async function askAll<T>(url: string, queries: readonly Query[]): Promise<T[]> {
  const results: T[] = [];
  for (let from = 0; from < queries.length; from += BATCH)
    for (const { result, error } of await ask(url, queries.slice(from, from + BATCH))) {
      if (error !== undefined) throw new Error(error.message);
      results.push(result as T);
    }
  return results;
}

/** Reads the whole chain from a node that executed it. */
async function subjectsOf(url: string, joinedBlock: number, head: number): Promise<Subjects> {
  const numbers = Array.from({ length: head + 1 }, (_, number) => hex(number));
  const blocks = await askAll<SeenBlock>(
    url,
    numbers.map((number) => ['eth_getBlockByNumber', [number, true]]),
  );
  const receipts = await askAll<readonly { readonly contractAddress: string | null }[]>(
    url,
    numbers.map((number) => ['eth_getBlockReceipts', [number]]),
  );
  const addresses = new Set<string>([`0x${'ab'.repeat(20)}`]);
  for (const { miner, transactions } of blocks) {
    addresses.add(miner);
    for (const { from, to } of transactions)
      for (const one of [from, to]) if (one !== null) addresses.add(one);
  }
  for (const { contractAddress } of receipts.flat())
    if (contractAddress !== null) addresses.add(contractAddress);
  const later = blocks.slice(joinedBlock + 1);
  const transactions = later.flatMap((block) => block.transactions.map((one) => one.hash));
  return { addresses: [...addresses], transactions, joinedBlock, head };
}

/** Draws what a client may ask a node that has states from the joining on. */
function drawQuery(subjects: Subjects, random: () => number): Query {
  const { addresses, transactions, joinedBlock, head } = subjects;
  const below = (bound: number) => Math.floor(random() * bound);
  const one = <T>(list: readonly T[]) => list[below(list.length)] as T;
  const address = one(addresses);
  const at = hex(joinedBlock + below(head - joinedBlock + 1));
  const later = joinedBlock + 1 + below(head - joinedBlock);
  const slot = hex(below(SLOTS));
  const word = hex(below(SLOTS)).slice(2).padStart(64, '0');
  const call = { from: one(addresses), to: address, data: `0x${word}`, gas: '0x100000' };
  const queries: Query[] = [
    ['eth_getBalance', [address, at]],
    ['eth_getTransactionCount', [address, at]],
    ['eth_getCode', [address, at]],
    ['eth_getStorageAt', [address, slot, at]],
    ['eth_getProof', [address, [`0x${word}`], at]],
    ['eth_storageRoot', [address, at]],
    ['eth_call', [call, at]],
    ['eth_estimateGas', [call, at]],
    ['eth_createAccessList', [call, at]],
    ['debug_traceCall', [call, at]],
    ['eth_getHeaderByNumber', [hex(below(head + 1))]],
    ['eth_getBlockByNumber', [hex(later), random() < 0.5]],
    ['eth_getBlockReceipts', [hex(later)]],
    ['eth_getLogs', [{ fromBlock: hex(later), toBlock: hex(later + below(head - later + 1)) }]],
    ['debug_traceBlockByNumber', [hex(later)]],
    ['debug_getRawBlock', [hex(later)]],
  ];
  if (transactions.length > 0)
    queries.push(
      ['eth_getTransactionByHash', [one(transactions)]],
      ['eth_getTransactionReceipt', [one(transactions)]],
      ['debug_traceTransaction', [one(transactions), { tracer: 'callTracer' }]],
      ['debug_traceTransaction', [one(transactions)]],
    );
  return one(queries);
}

/**
 * Asks a node that joined and one that executed everything the same, at random, about all that the former has.
 * @param count - of queries
 */
export async function assertEqualAnswers(fullUrl: string, joined: JoinedNode, count: number): Promise<void> {
  const head = await heightAt(fullUrl);
  await until(async () => (await heightAt(joined.url)) >= head);
  const subjects = await subjectsOf(fullUrl, joined.joinedBlock, head);
  const random = seededRandom(testSeed());
  for (let asked = 0; asked < count; asked += BATCH) {
    const queries = Array.from({ length: Math.min(BATCH, count - asked) }, () => drawQuery(subjects, random));
    const [expected, found] = await Promise.all([fullUrl, joined.url].map((url) => ask(url, queries)));
    for (const [index, query] of queries.entries()) {
      expect([query, found?.[index]]).toEqual([query, expected?.[index]]);
      // What is not here is no answer, also where both say it.
      expect([query, found?.[index]?.error?.message ?? '']).toEqual([
        query,
        expect.not.stringMatching(/pruned|missing trie node|not available|does not exist/),
      ]);
    }
  }
}
