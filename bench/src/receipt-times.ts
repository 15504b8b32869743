import { callRpc } from './call-rpc.js';

const POLL_MS = 20;
const TIMEOUT_MS = 300_000;

interface Receipt {
  readonly status: string;
}

/**
 * When receipts of transactions can be read on some nodes.
 *
 * It polls the blocks, and one receipt of each block, which a node returns once it has executed all of the block,
 * its private transactions too: polling every receipt would add too much load.
 */
export class ReceiptTimes {
  private readonly sent = new Map<string, number>();
  private readonly times: number[] = [];

  private constructor(
    private readonly urls: readonly [string, ...string[]],
    private next: number,
  ) {}

  /** @param urls - of the nodes; new blocks are read from the first, earlier blocks are ignored */
  static async open(urls: readonly [string, ...string[]]): Promise<ReceiptTimes> {
    return new ReceiptTimes(urls, Number(await callRpc(urls[0], 'eth_blockNumber', [])) + 1);
  }

  /**
   * Notes that the transaction is about to be submitted.
   * @param started - when its sender began with it
   */
  add(hash: string, started: number): void {
    this.sent.set(hash, started);
  }

  /**
   * Resolves when so many transactions have receipts on all nodes.
   * @returns milliseconds of each
   * @throws Error after 5 minutes
   */
  async until(count: number): Promise<readonly number[]> {
    const deadline = Date.now() + TIMEOUT_MS;
    while (this.times.length < count) {
      if (Date.now() > deadline) throw new Error(`${count - this.times.length} receipts are missing`);
      await this.look();
      await new Promise((tick) => setTimeout(tick, POLL_MS));
    }
    return this.times;
  }

  /**
   * Resolves when all transactions that were added until the load ended have receipts.
   * @throws as `until`, and as the load
   */
  async untilAll(load: Promise<unknown>): Promise<readonly number[]> {
    let isLoading = true;
    const ended = load.finally(() => (isLoading = false));
    const looked = async () => {
      while (isLoading) {
        await this.look();
        await new Promise((tick) => setTimeout(tick, POLL_MS));
      }
    };
    await Promise.all([ended, looked()]);
    return this.until(this.sent.size);
  }

  private async look(): Promise<void> {
    const [url] = this.urls;
    const head = Number(await callRpc(url, 'eth_blockNumber', []));
    for (; this.next <= head; this.next += 1) {
      const block = await callRpc(url, 'eth_getBlockByNumber', [`0x${this.next.toString(16)}`, false]);
      const { transactions } = block as { transactions: readonly string[] };
      const own = transactions.filter((hash) => this.sent.has(hash));
      const last = own.at(-1);
      if (last !== undefined) await Promise.all(this.urls.map((node) => readReceipt(node, last)));
      const now = performance.now();
      for (const hash of own) this.times.push(now - (this.sent.get(hash) as number));
    }
  }
}

/** Waits for the receipt of a transaction that is mined: a node may be behind with the block, or with private state. */
async function readReceipt(url: string, hash: string): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const receipt = await findReceipt(url, hash);
    if (receipt?.status === '0x1') return;
    if (receipt !== null) throw new Error(`${hash} failed`);
    if (Date.now() > deadline) throw new Error(`${url} has no receipt of ${hash}`);
    await new Promise((tick) => setTimeout(tick, POLL_MS));
  }
}

async function findReceipt(url: string, hash: string): Promise<Receipt | null> {
  try {
    return (await callRpc(url, 'eth_getTransactionReceipt', [hash])) as Receipt | null;
  } catch (error) {
    if (error instanceof Error && error.message.includes('private state is at block')) return null;
    throw error;
  }
}
