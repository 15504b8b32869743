import { resolve } from 'node:path';
import { addressFromPrivateKey, publicKeyFromPrivateKey } from '@tetrad/crypto';
import type { NodeConfig } from '../options/config.js';
import type { NodeIdentity } from '../rpc/node-parts.js';

/** The identity of the node, as it reports it. */
export function identityOf(
  config: NodeConfig,
  { nodeKey, version, chainConfig }: { nodeKey: Uint8Array; version: string; chainConfig: unknown },
): NodeIdentity {
  const platform = `${process.platform}-${process.arch}`;
  return {
    clientVersion: `Tetrad/v${version}/${platform}/node${process.versions.node}`,
    address: addressFromPrivateKey(nodeKey),
    nodeId: Buffer.from(publicKeyFromPrivateKey(nodeKey)).toString('hex'),
    modules: config.httpApi,
    aliases: config.rpcAlias,
    dataDir: resolve(config.dataDir),
    chainConfig,
  };
}
