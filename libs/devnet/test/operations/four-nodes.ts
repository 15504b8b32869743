import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PORTS_PER_NODE, freePorts, parseNetworkOptions, startNetwork, type Network } from '@tetrad/devnet';

/** A network of four validators with their managers. */
export interface FourNodes {
  /** Data folder of the network, with its logs. */
  readonly folder: string;
  readonly network: Network;
  stop(): Promise<void>;
}

/** Starts one whose blocks come twice a second, transactions or not, as tests wait for so many of them. */
export async function startFourNodes(): Promise<FourNodes> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-operations-'));
  const words = ['--nodes', '4', '--services', 'node,transaction-manager', '--block-period', '500'];
  const base = await freePorts(4 * PORTS_PER_NODE);
  const places = ['--data-dir', folder, '--port-base', String(base)];
  const network = await startNetwork(parseNetworkOptions([...words, ...places]));
  return {
    folder,
    network,
    async stop() {
      await network.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
