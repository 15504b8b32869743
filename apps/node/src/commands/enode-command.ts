import { join } from 'node:path';
import { blockZeroOf } from '@tetrad/node-ledger';
import { formatEnode, nodeIdFromBytes } from '@tetrad/node-peer';
import { defineOptions, option, pathOption, type ConfigOf } from '@tetrad/service';
import { nodeOptions } from '../options/config.js';
import { readNodeKey } from '../open/node-key.js';
import { rulesOf } from '../open/chain-engine.js';
import { readGenesis } from '../open/read-genesis.js';

/** Options of the node, so that its configuration file can be used here too; the genesis file may not exist yet. */
export const enodeOptions = defineOptions({
  ...nodeOptions,
  genesisFile: option(pathOption(), { group: 'Chain', description: nodeOptions.genesisFile.description }),
});

/**
 * The identity and the chain of a node, as text; nothing is started. The node key is created as on a start.
 * @throws OperatorError naming the file that is wrong
 */
export async function describeEnode(config: ConfigOf<typeof enodeOptions>): Promise<string> {
  const { genesisFile, nodeKeyFile, dataDir } = config;
  // Before a key is created: a command that fails leaves nothing behind.
  const genesis = genesisFile === undefined ? undefined : await readGenesis({ ...config, genesisFile });
  const key = await readNodeKey(nodeKeyFile ?? join(dataDir, 'nodekey'), nodeKeyFile === undefined);
  const host = config.p2pHost ?? config.peerListenHost;
  const nodeId = nodeIdFromBytes(key.publicKey);
  return [
    `address  ${key.address}`,
    `enode    ${formatEnode({ nodeId, host, port: config.peerListenPort, discport: 0 })}`,
    ...(genesis === undefined
      ? []
      : [
          `genesis  ${(await blockZeroOf(genesis, rulesOf(genesis))).hash}`,
          `chain    ${genesis.chainId}, rules of ${genesis.rules}`,
          `engine   ${genesis.consensus.engine}`,
          ...genesis.warnings.map((warning) => `warning  ${warning}`),
        ]),
  ].join('\n');
}
