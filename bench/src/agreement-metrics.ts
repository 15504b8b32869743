import type { NetworkNode } from '@tetrad/devnet';

/** What a node shows of the agreement with other parties. */
export interface AgreementMetrics {
  /** Blocks that are not stated yet, and blocks of pairs on which the other party has not answered. */
  readonly open: number;
  readonly diverged: number;
  readonly undisclosed: number;
  /** Statements of a party that contradict each other. */
  readonly contradicted: number;
  /** Statements that the manager has taken since the node has started. */
  readonly stated: number;
}

export async function agreementOf({ ports }: NetworkNode): Promise<AgreementMetrics> {
  const text = await (await fetch(`http://127.0.0.1:${ports.ops}/metrics`)).text();
  const valueOf = (name: string) => {
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return line === undefined ? 0 : Number(line.slice(name.length));
  };
  const blocks = (state: string) => valueOf(`node_agreement_blocks{state="${state}"}`);
  const sent = (kind: string) => valueOf(`node_agreement_sent_total{kind="agreement-${kind}"}`);
  return {
    open: valueOf('node_agreement_lag_blocks') + blocks('pending'),
    diverged: blocks('diverged'),
    undisclosed: blocks('undisclosed'),
    stated: ['statement', 'reply'].reduce((sum, kind) => sum + sent(kind), 0),
    contradicted: valueOf('node_agreement_heard_total{result="contradicted"}'),
  };
}

const POLL_MS = 100;
const COUNT_MS = 2_000;

/**
 * Resolves once all blocks of the nodes are stated and answered.
 * @returns how long that took, in ms
 * @throws Error after so long
 */
export async function untilAgreed(nodes: readonly NetworkNode[], limitMs: number): Promise<number> {
  const began = Date.now();
  const deadline = began + limitMs;
  for (;;) {
    const open = (await Promise.all(nodes.map(agreementOf))).map((found) => found.open);
    if (open.every((count) => count === 0)) return Date.now() - began;
    if (Date.now() > deadline) throw new Error(`blocks are not agreed on yet: ${open.join(', ')}`);
    await new Promise((tick) => setTimeout(tick, POLL_MS));
  }
}

/** Counts statements of nodes that start anew meanwhile, each time with none: at least so many were sent. */
export class StatementCount {
  private readonly before: number[];
  private readonly last: number[];
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly nodes: readonly NetworkNode[]) {
    this.before = nodes.map(() => 0);
    this.last = nodes.map(() => 0);
    this.timer = setInterval(() => void this.look(), COUNT_MS);
  }

  /** @returns how many were sent */
  async end(): Promise<number> {
    clearInterval(this.timer);
    await this.look();
    return [...this.before, ...this.last].reduce((sum, count) => sum + count, 0);
  }

  private async look(): Promise<void> {
    await Promise.all(
      this.nodes.map(async (node, index) => {
        // A node that is down has no metrics.
        const stated = (await agreementOf(node).catch(() => undefined))?.stated;
        const last = this.last[index] ?? 0;
        if (stated === undefined) return;
        if (stated < last) this.before[index] = (this.before[index] ?? 0) + last;
        this.last[index] = stated;
      }),
    );
  }
}
