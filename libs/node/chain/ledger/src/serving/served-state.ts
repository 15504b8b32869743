import { MissingTrieNodeError, readRange, type RangeQuestion, type TrieRange } from '@tetrad/node-execution';
import type { LedgerStore } from '@tetrad/node-store';
import { TimeSlices } from '@tetrad/types';

/** Maximum number of headers of one answer. */
const MAX_HEADERS = 1_024;
/** Headers that are read at the same time: one has 67 kB with the seals of 1,000 validators. */
const HEADERS_AT_ONCE = 64;
/** Work on one answer about tries: their entries and the nodes that are read, over all of its ranges. */
const RANGE_BOUNDS = { entries: 4_096, nodes: 4_096 };
/**
 * Ranges that are read at the same time once the ones before were tries of so few entries, as the storage of most contracts is: their few
 * nodes are then read in one statement. Each gets an equal share of what is left.
 */
const RANGES_AT_ONCE = [
  { entries: 16, ranges: 64 },
  { entries: 64, ranges: 16 },
];
/** Contents that are read at the same time. */
const READ_AT_ONCE = 256;

/** Where contents are found by their hash. */
type Find = (hash: Uint8Array) => Promise<Uint8Array | undefined>;

/**
 * What a node without the state gets of the chain and its public state, as it is stored; nothing is put into caches. Private state
 * has tables of its own, which are never read here.
 *
 * Cost: bounded by the constants above and the byte budgets; gives way to other work after each slice of time
 */
export class ServedState {
  constructor(
    private readonly store: Pick<LedgerStore, 'listBlocks' | 'findNode' | 'findCode' | 'findPreimage'>,
    private readonly bounds = RANGE_BOUNDS,
  ) {}

  /** Encoded headers from a number on: at least the first when there is one, and no more once the budget is used up. */
  async headers({
    from,
    limit,
    byteBudget,
  }: {
    readonly from: number;
    readonly limit: number;
    readonly byteBudget: number;
  }): Promise<readonly Uint8Array[]> {
    const headers: Uint8Array[] = [];
    const end = from + Math.min(limit, MAX_HEADERS);
    let bytes = 0;
    for (let next = from; next < end && (next === from || bytes < byteBudget); next = from + headers.length) {
      const rows = await this.store.listBlocks(next, Math.min(end, next + HEADERS_AT_ONCE) - 1);
      headers.push(...rows.map(({ header }) => header));
      bytes += rows.reduce((sum, { header }) => sum + header.length, 0);
      if (rows.length < HEADERS_AT_ONCE) break;
    }
    return withinBudget(headers, byteBudget);
  }

  /** Answers the first of the questions, until a bound is reached; undefined where the trie is not stored, or not wholly. */
  async ranges({
    questions,
    byteBudget,
  }: {
    readonly questions: readonly RangeQuestion[];
    readonly byteBudget: number;
  }): Promise<readonly (TrieRange | undefined)[]> {
    const answers: (TrieRange | undefined)[] = [];
    const left = { ...this.bounds, bytes: byteBudget };
    const reading = this.reading(left);
    let atOnce = 1;
    while (answers.length < questions.length) {
      if (answers.length > 0 && Math.min(left.entries, left.bytes, left.nodes) <= 0) break;
      const group = questions.slice(answers.length, answers.length + atOnce);
      const share = shareOf(left, group.length);
      const ranges = await Promise.all(group.map((question) => reading(question, share)));
      answers.push(...ranges);
      left.entries -= ranges.reduce((sum, range) => sum + (range?.entries.length ?? 0), 0);
      left.bytes -= ranges.reduce((sum, range) => sum + (range === undefined ? 0 : bytesOf(range)), 0);
      atOnce = rangesAtOnce(ranges, left.entries);
    }
    return answers;
  }

  /** Reads ranges of stored tries; each node that is read is taken off what is left. */
  private reading(left: { nodes: number }) {
    const slices = new TimeSlices();
    const giveWay = () => (slices.isOver() ? slices.pause() : undefined);
    const read: Find = (hash) => {
      left.nodes -= 1;
      return this.store.findNode(hash);
    };
    return (question: RangeQuestion, share: typeof RANGE_BOUNDS & { readonly bytes: number }) =>
      readStored(() => readRange(question, read, { ...share, giveWay }));
  }

  /** The contents under the first of the hashes, until the budget is used up; undefined where there is none. */
  async contents({
    what,
    hashes,
    byteBudget,
  }: {
    readonly what: 'node' | 'code' | 'preimage';
    readonly hashes: readonly Uint8Array[];
    readonly byteBudget: number;
  }): Promise<readonly (Uint8Array | undefined)[]> {
    const { store } = this;
    const finders: Record<typeof what, Find> = {
      node: (hash) => store.findNode(hash),
      code: (hash) => store.findCode(hash),
      preimage: (hash) => store.findPreimage(hash),
    };
    const find = finders[what];
    const found: (Uint8Array | undefined)[] = [];
    let bytes = 0;
    while (found.length < hashes.length && (found.length === 0 || bytes < byteBudget)) {
      const part = await Promise.all(hashes.slice(found.length, found.length + READ_AT_ONCE).map(find));
      found.push(...part);
      bytes += part.reduce((sum, content) => sum + (content?.length ?? 0), 0);
    }
    return withinBudget(found, byteBudget);
  }
}

/** The first items, up to the budget; the first one always. Units: bytes */
function withinBudget<Item extends Uint8Array | undefined>(items: readonly Item[], budget: number): Item[] {
  let bytes = 0;
  const end = items.findIndex((item, index) => (bytes += item?.length ?? 0) > budget && index > 0);
  return end === -1 ? [...items] : items.slice(0, end);
}

function shareOf(left: typeof RANGE_BOUNDS & { readonly bytes: number }, parts: number): typeof left {
  const share = (amount: number) => Math.max(1, Math.floor(amount / parts));
  return { entries: share(left.entries), nodes: share(left.nodes), bytes: share(left.bytes) };
}

/** How many ranges are read together after these, while entries of an answer are left. */
function rangesAtOnce(before: readonly (TrieRange | undefined)[], left: number): number {
  const sizes = RANGES_AT_ONCE.find(({ entries }) => before.every((range) => isSmallTrie(range, entries)));
  return sizes === undefined ? 1 : Math.max(1, Math.min(sizes.ranges, Math.floor(left / sizes.entries)));
}

/** A whole trie is answered without a proof. */
function isSmallTrie(range: TrieRange | undefined, maximum: number): boolean {
  return range !== undefined && range.proof.length === 0 && range.entries.length <= maximum;
}

function bytesOf({ entries, proof }: TrieRange): number {
  const ofEntries = entries.reduce((sum, { key, value }) => sum + key.length + value.length, 0);
  return ofEntries + proof.reduce((sum, { length }) => sum + length, 0);
}

async function readStored(read: () => Promise<TrieRange>): Promise<TrieRange | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof MissingTrieNodeError) return undefined;
    throw error;
  }
}
