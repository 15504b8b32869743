import { resolve } from 'node:path';
import type { SigningKey } from '@tetrad/crypto';
import type { RpcAlias } from '@tetrad/rpc';
import type { Address } from '@tetrad/types';
import type { NodeConfig } from '../options/config.js';

export interface NodeIdentity {
  /** `Tetrad/v0.1.0/linux-x64/node20.20.0`. */
  readonly clientVersion: string;
  /** Address of the node key. */
  readonly address: Address;
  /** 64 bytes of the node key's public key, as hex without 0x. */
  readonly nodeId: string;
  /** Namespaces that are exposed. */
  readonly modules: readonly string[];
  /** Other names of namespaces and methods. */
  readonly aliases: readonly RpcAlias[];
  /** Folder of the database and the node key. */
  readonly dataDir: string;
  /** `config` of the genesis file, as it is written there. */
  readonly chainConfig: unknown;
}

/** The identity of the node, as it reports it. */
export function identityOf(
  config: NodeConfig,
  { nodeKey, version, chainConfig }: { nodeKey: SigningKey; version: string; chainConfig: unknown },
): NodeIdentity {
  const platform = `${process.platform}-${process.arch}`;
  return {
    clientVersion: `Tetrad/v${version}/${platform}/node${process.versions.node}`,
    address: nodeKey.address,
    nodeId: Buffer.from(nodeKey.publicKey).toString('hex'),
    modules: config.httpApi,
    aliases: config.rpcAlias,
    dataDir: resolve(config.dataDir),
    chainConfig,
  };
}
