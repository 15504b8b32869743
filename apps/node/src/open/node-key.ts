import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import {
  addressFromPrivateKey,
  addressFromPublicKey,
  generatePrivateKey,
  isPrivateKey,
  isPublicKey,
  publicKeyFromPrivateKey,
  signingKeyOf,
  type SigningKey,
} from '@tetrad/crypto';
import { makeDataFolder, writeWhole } from '@tetrad/files';
import { AddressedKeys, isRemoteKeyFile, readRemoteKeyFile, type RemoteKeyFile } from '@tetrad/remote-keys';
import { reasonOf, type ServiceEnvironment } from '@tetrad/service';
import { OperatorError, systemClock, type Address } from '@tetrad/types';
import { boundHandshakes, type HandshakeKeys } from './handshake-keys.js';
import type { NodeModule } from './node-module.js';
import { asOperatorError } from './operator-errors.js';

/** The node key as a file has it or names it; its service is not asked. */
export interface NodeKeyFile {
  readonly address: Address;
  /** 64 bytes x‖y. */
  readonly publicKey: Uint8Array;
  readonly source:
    | { readonly privateKey: Uint8Array }
    /** A key that signs in an HSM or key service. */
    | { readonly remote: RemoteKeyFile };
}

export interface NodeKeys {
  readonly nodeKey: SigningKey;
  readonly handshakeKeys: HandshakeKeys;
}

/**
 * The node key in the file: 64 hex digits, as GoQuorum's `nodekey`, or the TOML file of a key that signs elsewhere.
 * @param create - make a key, readable by its owner only, when the file does not exist
 * @throws OperatorError naming the file
 */
export async function readNodeKey(path: string, create: boolean): Promise<NodeKeyFile> {
  if (isRemoteKeyFile(basename(path))) return remoteNodeKey(path);
  const text = await readFile(path, 'utf8').catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || !create)
      throw new OperatorError(`node key file ${path}: ${reasonOf(error)}`);
    return createNodeKey(path);
  });
  const digits = text.trim().replace(/^0x/, '');
  const privateKey = /^[0-9a-fA-F]{64}$/.test(digits) ? Buffer.from(digits, 'hex') : undefined;
  if (privateKey === undefined || !isPrivateKey(privateKey)) {
    throw new OperatorError(`node key file ${path}: must hold a private key as 64 hex digits`);
  }
  const publicKey = publicKeyFromPrivateKey(privateKey);
  return { address: addressFromPrivateKey(privateKey), publicKey, source: { privateKey } };
}

/**
 * Opens the node key. One in a service is opened beside the start: until then, and while the service is away, the node
 * follows the chain with the connections that it has.
 */
export async function openNodeKey(
  { address, publicKey, source }: NodeKeyFile,
  { logger }: Pick<ServiceEnvironment, 'logger'>,
): Promise<NodeModule<NodeKeys>> {
  if ('privateKey' in source) {
    const nodeKey = signingKeyOf(source.privateKey);
    const handshakeKeys = { dialer: nodeKey, listener: nodeKey };
    return { parts: { nodeKey, handshakeKeys }, readiness: {}, close: async () => undefined };
  }
  const keys = AddressedKeys.open([source.remote], { clock: systemClock, logger });
  const sign: SigningKey['sign'] = async (digest) => {
    const signature = await keys.sign(address, digest);
    if (signature === undefined) throw new Error(`no key of ${address}`);
    return signature;
  };
  const nodeKey = { address, publicKey, sign };
  const { timeoutMs } = source.remote.settings;
  return {
    parts: { nodeKey, handshakeKeys: boundHandshakes(nodeKey, { clock: systemClock, timeoutMs }) },
    // The next node must not be stopped while this one signs nothing.
    readiness: { nodeKey: { class: 'rollout', check: () => keys.unavailable() } },
    close: async () => keys.close(),
  };
}

/** Peers know a node by its public key, which is needed before the service can be asked, and while it is away. */
async function remoteNodeKey(path: string): Promise<NodeKeyFile> {
  const remote = await readRemoteKeyFile(path).catch((error: unknown) =>
    asOperatorError(error, 'node key file '),
  );
  const { address, publicKey } = remote;
  if (publicKey === undefined)
    throw new OperatorError(
      `node key file ${path}: signing.public-key is required: 128 hex digits, as \`signer key new\` prints them`,
    );
  if (!isPublicKey(publicKey) || addressFromPublicKey(publicKey) !== address)
    throw new OperatorError(`node key file ${path}: signing.public-key is not the key of ${address}`);
  return { address, publicKey, source: { remote } };
}

/** Written to disk before it is used: a validator that loses its key can stop its chain. */
async function createNodeKey(path: string): Promise<string> {
  const text = Buffer.from(generatePrivateKey()).toString('hex');
  await makeDataFolder(dirname(path));
  await writeWhole(path, `${text}\n`, 0o600);
  return text;
}
