import { callRpc } from '../demo/call-rpc.js';
import type { NetworkNode } from '../network/network-node.js';

const POLL_MS = 250;
/** A node that does not answer within this is ignored. */
const ANSWER_MS = 2_000;

/** The longest time without a block. Times in ms. */
export class Standstill {
  height = 0;
  private longest = 0;
  private since: number;

  constructor(startMs: number) {
    this.since = startMs;
  }

  /** @param height - of the most advanced node; a lower one than before is ignored */
  see(height: number, nowMs: number): void {
    if (height <= this.height) return;
    this.longest = this.longestMs(nowMs);
    this.height = height;
    this.since = nowMs;
  }

  /** Including the current one. */
  longestMs(nowMs: number): number {
    return Math.max(this.longest, nowMs - this.since);
  }
}

/** Polls the chain until it is stopped. */
export class ProgressWatch {
  private readonly standstill = new Standstill(performance.now());
  private stopped = false;
  private readonly watching: Promise<void>;

  constructor(private readonly nodes: readonly NetworkNode[]) {
    this.watching = this.watch();
  }

  /** @returns blocks produced meanwhile, and the longest time without one in ms */
  async stop(): Promise<{ readonly blocks: number; readonly longestStandstillMs: number }> {
    this.stopped = true;
    await this.watching;
    const { height } = this.standstill;
    return { blocks: height, longestStandstillMs: this.standstill.longestMs(performance.now()) };
  }

  private async watch(): Promise<void> {
    while (!this.stopped) {
      const heights = await Promise.all(this.nodes.map(heightOf));
      this.standstill.see(Math.max(...heights), performance.now());
      await new Promise((tick) => setTimeout(tick, POLL_MS));
    }
  }
}

/** 0 when the node does not answer. */
export async function heightOf({ rpc, isRunning }: NetworkNode): Promise<number> {
  if (!isRunning) return 0;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<number>((done) => (timer = setTimeout(() => done(0), ANSWER_MS)));
  const asked = callRpc(rpc, 'eth_blockNumber', []).then(Number, () => 0);
  const height = await Promise.race([asked, late]);
  clearTimeout(timer);
  return height;
}
