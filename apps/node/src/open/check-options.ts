import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OptionError, assertCanServe } from '@tetrad/service';
import { silentLogger } from '@tetrad/types';
import type { NodeConfig } from '../options/config.js';
import { readNodeKey } from './node-key.js';
import { readStaticNodes } from './static-nodes.js';
import { managerSettings } from '../options/manager-options.js';

/**
 * Checks the options and the files that they name, before the node creates or opens anything.
 * @throws OperatorError naming the option or the file
 */
export async function checkOptions(config: NodeConfig): Promise<void> {
  const { peerListenHost: host, peerListenPort: port } = config;
  await assertCanServe(config, { ports: [{ host, port, portOption: '--peer-listen-port' }] });
  managerSettings(config, silentLogger);
  if (config.trustCheckpoint && config.checkpoint === undefined)
    throw new OptionError('--trust-checkpoint', 'needs --checkpoint, the block that is trusted');
  await readStaticNodes(config.peers, config.staticNodesFile);
  const keyFile = config.nodeKeyFile ?? join(config.dataDir, 'nodekey');
  // Without a configured file, the key is created later.
  if (config.nodeKeyFile !== undefined || existsSync(keyFile)) await readNodeKey(keyFile, false);
}
