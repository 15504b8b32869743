import { FaultyNetwork, freePorts } from '@tetrad/testkit';
import { postgresFolder, startNetwork, type Network } from '../network/network.js';
import type { NetworkOptions } from '../network/network-options.js';
import { PORTS_PER_NODE, nodePorts } from '../network/ports.js';

/** A network whose nodes reach each other over links that can be broken. */
export interface LinkedNetwork {
  readonly network: Network;
  readonly links: FaultyNetwork;
  /** Data folder of the embedded PostgreSQL; undefined with another server. */
  readonly postgresFolder: string | undefined;
  stop(): Promise<void>;
}

/** Starts it on free ports. */
export async function startLinkedNetwork(options: NetworkOptions): Promise<LinkedNetwork> {
  const portBase = options.portBase ?? (await freePorts(options.nodes * PORTS_PER_NODE));
  const ports = Array.from({ length: options.nodes }, (_, index) => () => nodePorts(portBase, index).peer);
  const links = await FaultyNetwork.open(ports);
  try {
    const network = await startNetwork(
      { ...options, portBase },
      { linkPort: (from, to) => links.portOf(from, to) },
    );
    return {
      network,
      links,
      postgresFolder: options.databaseUrl === undefined ? postgresFolder(options.dataDir) : undefined,
      async stop() {
        await network.stop();
        await links.close();
      },
    };
  } catch (error) {
    await links.close();
    throw error;
  }
}
