import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { callRpc } from '../call-rpc.js';
import { startNode } from '../peers.js';
import { processCpu } from '../process-cpu.js';

/** As `--rpc-max-subscriptions` allows by default. */
const PER_CONNECTION = 100;
const WARM_UP_MS = 10_000;
const MEASURED_MS = 30_000;

/** What a block costs a node with so many subscriptions of new heads. */
export interface SubscriptionsPoint {
  readonly subscriptions: number;
  /** Units: ms */
  readonly cpu: number;
}

/** One validator; subscribers in this process, whose CPU does not count. */
export async function measureSubscriptions(subscriptions: number): Promise<SubscriptionsPoint> {
  process.stderr.write(`  ${subscriptions} subscriptions\n`);
  const node = await startNode({ nodes: 1 });
  const { ws } = node.network.endpoints.nodes[0] as { readonly ws: string };
  const subscribers: Subscriber[] = [];
  try {
    for (let left = subscriptions; left > 0; left -= PER_CONNECTION)
      subscribers.push(await Subscriber.open(ws, Math.min(left, PER_CONNECTION)));
    await pause(WARM_UP_MS);
    const heightOf = async () => Number(await callRpc(node.url, 'eth_blockNumber', []));
    const before = { cpu: await processCpu(node.pid), block: await heightOf(), heard: heardBy(subscribers) };
    await pause(MEASURED_MS);
    const [cpu, blocks] = [await processCpu(node.pid), (await heightOf()) - before.block];
    const heard = (heardBy(subscribers) - before.heard) / subscriptions;
    // One block may be on its way at either end.
    if (Math.abs(heard - blocks) > 1.5) throw new Error(`${heard} of ${blocks} heads were heard`);
    return { subscriptions, cpu: ((cpu - before.cpu) * 1_000) / blocks };
  } finally {
    for (const subscriber of subscribers) subscriber.close();
    await node.stop();
  }
}

function heardBy(subscribers: readonly Subscriber[]): number {
  return subscribers.reduce((sum, { heard }) => sum + heard, 0);
}

/** A connection with subscriptions, which counts the heads that it hears of. */
class Subscriber {
  heard = 0;

  private constructor(private readonly socket: WebSocket) {}

  static async open(url: string, subscriptions: number): Promise<Subscriber> {
    const socket = new WebSocket(url);
    const subscriber = new Subscriber(socket);
    await new Promise((done, fail) => socket.once('open', done).once('error', fail));
    await new Promise<void>((done, fail) => {
      let answered = 0;
      socket.on('message', (data: Buffer) => {
        const text = data.toString();
        if (text.includes('"eth_subscription"')) subscriber.heard += 1;
        else if (text.includes('"error"')) fail(new Error(text));
        else if (++answered === subscriptions) done();
      });
      const method = 'eth_subscribe';
      for (let id = 1; id <= subscriptions; id += 1)
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params: ['newHeads'] }));
    });
    return subscriber;
  }

  close(): void {
    this.socket.terminate();
  }
}
