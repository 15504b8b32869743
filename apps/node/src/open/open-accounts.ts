import { basename } from 'node:path';
import { createKeystore, listKeyFiles, openKeyFiles, type Keystore } from '@tetrad/keystore';
import type { MarkerKey } from '@tetrad/node-transactions';
import { AddressedKeys, isRemoteKeyFile, readRemoteKeyFile, type RemoteKeyFile } from '@tetrad/remote-keys';
import type { ServiceEnvironment } from '@tetrad/service';
import { OperatorError, mapConcurrently, systemClock, type Address } from '@tetrad/types';
import type { NodeConfig } from '../options/config.js';
import type { NodeModule } from './node-module.js';
import { asOperatorError } from './operator-errors.js';

type AccountsConfig = Pick<NodeConfig, 'keystoreDir' | 'keystorePasswordFile' | 'privacyMarkerKeyFile'>;

/** Files that name keys, read at a time. */
const READS_AT_A_TIME = 16;

/** The accounts that the node signs for. */
export interface NodeAccounts {
  readonly keystore: Keystore;
  /** Undefined: the node key signs markers. */
  readonly markerKey: MarkerKey | undefined;
}

/**
 * Opens the accounts of the node: key files, and keys that sign in HSMs and key services. While a service
 * is away its accounts are listed, and requests that need their signatures fail.
 * @throws OperatorError
 */
export async function openAccounts(
  config: AccountsConfig,
  { logger }: Pick<ServiceEnvironment, 'logger'>,
): Promise<NodeModule<NodeAccounts>> {
  const { privacyMarkerKeyFile: markerPath } = config;
  const { local, files } = await readKeystoreFolder(config).catch(asOperatorError);
  const marker =
    markerPath === undefined ? undefined : await readRemoteKeyFile(markerPath).catch(asOperatorError);
  assertDistinct(local, files, marker);
  const remote = AddressedKeys.open([...files, ...(marker === undefined ? [] : [marker])], {
    clock: systemClock,
    logger,
  });
  const addresses = files.map(({ address }) => address);
  const parts = {
    keystore: joined(local, remote, addresses),
    markerKey: marker && { address: marker.address, sign: signerOf(remote, marker.address) },
  };
  return {
    parts,
    // Other accounts are served; a new node that cannot reach its HSM must not let the next one be stopped.
    readiness: { unavailableKeys: { class: 'rollout', check: () => remote.unavailable() } },
    close: async () => remote.close(),
  };
}

interface KeystoreFolder {
  readonly local: Keystore;
  readonly files: readonly RemoteKeyFile[];
}

async function readKeystoreFolder(config: AccountsConfig): Promise<KeystoreFolder> {
  const { keystoreDir, keystorePasswordFile } = config;
  if (keystoreDir === undefined) return { local: createKeystore([]), files: [] };
  const paths = await listKeyFiles(keystoreDir);
  const files = await mapConcurrently(paths.filter(isRemote), READS_AT_A_TIME, readRemoteKeyFile);
  const keyFiles = paths.filter((path) => !isRemote(path));
  if (keystorePasswordFile !== undefined)
    return { local: await openKeyFiles(keyFiles, keystorePasswordFile.reveal()), files };
  if (keyFiles.length === 0 && files.length > 0) return { local: createKeystore([]), files };
  throw new OperatorError('--keystore-password-file is required with --keystore-dir');
}

const isRemote = (path: string) => isRemoteKeyFile(basename(path));

/** Two files of one account: which of them signs would be a guess, and markers need nonces of their own. */
function assertDistinct(
  local: Keystore,
  files: readonly RemoteKeyFile[],
  marker: RemoteKeyFile | undefined,
): void {
  const seen = new Set<Address>(local.list());
  for (const { address, path } of files) {
    if (seen.has(address)) throw new OperatorError(`${path}: --keystore-dir has another key of ${address}`);
    seen.add(address);
  }
  if (marker !== undefined && seen.has(marker.address)) {
    const text = `--privacy-marker-key-file: ${marker.address} is an account of --keystore-dir`;
    throw new OperatorError(`${text}, whose nonces markers must not use`);
  }
}

function joined(local: Keystore, remote: AddressedKeys, addresses: readonly Address[]): Keystore {
  const all = [...local.list(), ...addresses].sort();
  const has = new Set(addresses);
  return {
    list: () => all,
    has: (address) => local.has(address) || has.has(address),
    sign: (address, digest) =>
      has.has(address) ? signerOf(remote, address)(digest) : local.sign(address, digest),
  };
}

function signerOf(remote: AddressedKeys, address: Address): MarkerKey['sign'] {
  return async (digest) => {
    const signature = await remote.sign(address, digest);
    if (signature === undefined) throw new Error(`no key of ${address}`);
    return signature;
  };
}
