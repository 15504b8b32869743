import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withDatabaseName } from '@tetrad/db';
import {
  PORTS_PER_NODE,
  callRpc,
  freePorts,
  parseNetworkOptions,
  startNetwork,
  type Network,
} from '@tetrad/devnet';
import { SHORT_BLOCK_PERIODS, isServiceReady, startChildService, type ChildService } from '@tetrad/testkit';

/** A network of three nodes with their managers, whose private data is backed up, lost, recovered and repaired. */
export class ThreeNodes {
  private constructor(
    readonly folder: string,
    readonly network: Network,
    /** The first port of the network. */
    readonly portBase: number,
  ) {}

  static async start(): Promise<ThreeNodes> {
    const folder = await mkdtemp(join(tmpdir(), 'tetrad-private-data-'));
    const base = await freePorts(3 * PORTS_PER_NODE);
    const words = ['--nodes', '3', '--services', 'node,transaction-manager', ...SHORT_BLOCK_PERIODS];
    const places = ['--data-dir', join(folder, 'network'), '--port-base', String(base)];
    const file = ['--endpoints-file', join(folder, 'endpoints.json')];
    const network = await startNetwork(parseNetworkOptions([...words, ...places, ...file]));
    return new ThreeNodes(folder, network, base);
  }

  get endpointsFile(): string {
    return join(this.folder, 'endpoints.json');
  }

  nodeAt(index: number): Network['endpoints']['nodes'][number] {
    return this.network.endpoints.nodes[index] as Network['endpoints']['nodes'][number];
  }

  /** URL of a database on the server of the network. */
  databaseUrl(name: string): string {
    return withDatabaseName(this.network.endpoints.database.url, name);
  }

  async heightOf(index: number): Promise<number> {
    return Number(await callRpc(this.nodeAt(index).rpc, 'eth_blockNumber', []));
  }

  /** The root of the private state after a block. */
  rootOn(index: number, height: number): Promise<unknown> {
    return callRpc(this.nodeAt(index).rpc, 'debug_privateStateRoot', [`0x${height.toString(16)}`]);
  }

  /** Starts the first node as the network does, on other databases. */
  startRestored(environment: Readonly<Record<string, string>>): Promise<ChildService> {
    const [node] = this.network.nodes;
    if (node === undefined) throw new Error('the network has no node');
    return startChildService({
      name: 'restored',
      command: process.execPath,
      args: node.startCommand.args,
      environment,
      logFile: join(this.folder, 'restored.log'),
      isReady: (pid) => isServiceReady(`http://127.0.0.1:${node.ports.ops}`, pid),
    });
  }

  async stop(): Promise<void> {
    await this.network.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
