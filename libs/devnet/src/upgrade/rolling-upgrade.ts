import { seededRandom } from '@tetrad/testkit';
import { ChaosLoad } from '../chaos/chaos-load.js';
import { check, type ChaosVerdict } from '../chaos/chaos-verdict.js';
import { PrivateLoad } from '../chaos/private-load.js';
import { checkPrivately } from '../chaos/private-verdict.js';
import { ProgressWatch, heightOf } from '../chaos/progress-watch.js';
import { eventually } from '../demo/eventually.js';
import type { Network } from '../network/network.js';
import type { NetworkNode } from '../network/network-node.js';
import type { ServiceProcess } from '../network/service-process.js';
import { ROOT } from '../paths.js';

export interface RollingUpgradeOptions {
  /** Runs the programs of the earlier version. */
  readonly network: Network;
  /** Chooses the nodes that transactions are sent to. */
  readonly seed: number;
  readonly say?: (line: string) => void;
}

export interface RollingUpgradeReport extends ChaosVerdict {
  /** Transactions, private ones included. */
  readonly acknowledged: number;
  readonly acknowledgedPrivately: number;
  /** Sends that failed, and were tried again at another node. */
  readonly retries: number;
  readonly upgraded: readonly string[];
  /** Blocks from the first stop on. */
  readonly blocks: number;
  /** The longest time without a block, in ms. */
  readonly longestStandstillMs: number;
}

/** Blocks that a node must have before the next one is stopped, and that are made before and after the upgrade. */
const BLOCKS_BETWEEN = 3;

/**
 * Replaces the programs of a network one after the other by those of this repository, while public and private transactions
 * are sent: the managers first, then the nodes, each of which has caught up before the next is stopped, then the signer.
 * @throws when the chain forks or halts, an acknowledged transaction is missing from it or in it twice, parties of a
 *   private contract differ, or a new process does not start on the data of the old one
 */
export async function upgradeRolling(options: RollingUpgradeOptions): Promise<RollingUpgradeReport> {
  const { network, seed, say = () => undefined } = options;
  const nodes = [...network.nodes];
  const privately = await PrivateLoad.start(network);
  const load = new ChaosLoad(nodes, network.endpoints, seededRandom(seed));
  await mine(nodes);
  const watch = new ProgressWatch(nodes);
  const upgraded: string[] = [];
  for (const process of inOrder(network)) {
    await replace(process);
    upgraded.push(process.name);
    say(`${process.name} runs the new version`);
    await mine(nodes);
  }
  const { blocks, longestStandstillMs } = await watch.stop();
  await Promise.all([load.stop(), privately?.stop()]);
  const secret = privately?.acknowledged ?? [];
  const acknowledged = new Set([...load.acknowledged, ...secret]);
  say(`${acknowledged.size} transactions were acknowledged`);
  const verdict = await check(nodes, acknowledged);
  await checkPrivately(privately?.contracts ?? []);
  return {
    ...verdict,
    upgraded,
    blocks,
    longestStandstillMs,
    retries: load.retries,
    acknowledged: acknowledged.size,
    acknowledgedPrivately: secret.length,
  };
}

/** The processes in the order of docs/operations/upgrade.md. */
function inOrder({ endpoints, nodes, process }: Network): ServiceProcess[] {
  const managers = endpoints.nodes.flatMap(({ ptm }, index) =>
    ptm === null ? [] : [process(`manager${index}`)],
  );
  return [...managers, ...nodes, ...(endpoints.signer === null ? [] : [process('signer')])];
}

async function replace(process: ServiceProcess): Promise<void> {
  await process.stop();
  process.runFrom(ROOT);
  await process.start();
}

/** Waits until every node has some blocks more than any had. */
async function mine(nodes: readonly NetworkNode[]): Promise<void> {
  const height = Math.max(...(await Promise.all(nodes.map(heightOf)))) + BLOCKS_BETWEEN;
  for (const node of nodes)
    await eventually(
      `${node.name} does not reach block ${height}`,
      async () => (await heightOf(node)) >= height,
    );
}
