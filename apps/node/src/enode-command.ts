import { join } from 'node:path';
import { addressFromPrivateKey, publicKeyFromPrivateKey } from '@tetrad/crypto';
import { blockZeroOf } from '@tetrad/node-ledger';
import { formatEnode, nodeIdFromBytes } from '@tetrad/node-peer';
import { defineOptions, option, pathOption, type ConfigOf } from '@tetrad/service';
import { nodeOptions } from './config.js';
import { readNodeKey } from './node-key.js';
import { rulesOf } from './ordering/chain-engine.js';
import { readGenesis } from './read-genesis.js';

/** The options of the node, so that its configuration file serves here too; a genesis file may not be there yet. */
export const enodeOptions = defineOptions({
  ...nodeOptions,
  genesisFile: option(pathOption(), { group: 'Chain', description: nodeOptions.genesisFile.description }),
});

/**
 * Who a node is to others, and of which chain; nothing is started. The node key is made as a start would make it.
 *
 * Fails: OperatorError naming the file that is wrong
 */
export async function describeEnode(config: ConfigOf<typeof enodeOptions>): Promise<string> {
  const { genesisFile, genesisRules, nodeKeyFile, dataDir } = config;
  // Before a key is made: a command that fails leaves nothing behind.
  const genesis = genesisFile === undefined ? undefined : await readGenesis({ genesisFile, genesisRules });
  const key = await readNodeKey(nodeKeyFile ?? join(dataDir, 'nodekey'), nodeKeyFile === undefined);
  const host = config.p2pHost ?? config.peerListenHost;
  const nodeId = nodeIdFromBytes(publicKeyFromPrivateKey(key));
  return [
    `address  ${addressFromPrivateKey(key)}`,
    `enode    ${formatEnode({ nodeId, host, port: config.peerListenPort, discport: 0 })}`,
    ...(genesis === undefined
      ? []
      : [
          `genesis  ${(await blockZeroOf(genesis, rulesOf(genesis))).hash}`,
          `chain    ${genesis.chainId}, rules of ${genesis.rules}`,
        ]),
  ].join('\n');
}
