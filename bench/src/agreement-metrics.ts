import type { NetworkNode } from '@tetrad/devnet';

/** What a node shows of the agreement with other parties. */
export interface AgreementMetrics {
  /** Blocks that are not stated yet, and blocks of pairs on which the other party has not answered. */
  readonly open: number;
  readonly diverged: number;
  readonly undisclosed: number;
  /** Statements of a party that contradict each other. */
  readonly contradicted: number;
}

export async function agreementOf({ ports }: NetworkNode): Promise<AgreementMetrics> {
  const text = await (await fetch(`http://127.0.0.1:${ports.ops}/metrics`)).text();
  const valueOf = (name: string) => {
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return line === undefined ? 0 : Number(line.slice(name.length));
  };
  const blocks = (state: string) => valueOf(`node_agreement_blocks{state="${state}"}`);
  return {
    open: valueOf('node_agreement_lag_blocks') + blocks('pending'),
    diverged: blocks('diverged'),
    undisclosed: blocks('undisclosed'),
    contradicted: valueOf('node_agreement_heard_total{result="contradicted"}'),
  };
}

const POLL_MS = 100;

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
