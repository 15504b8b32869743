import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  RemoteKeyError,
  isRemoteKeyFile,
  readRemoteKeySettings,
  type RemoteKeyFile,
} from '@tetrad/remote-keys';
import { OperatorError, RequestError, addressFromBytes, mapConcurrently } from '@tetrad/types';
import {
  PROTOCOL,
  delegatedFromEthAddress,
  ethAddressOf,
  formatCoinAddress,
  parseCoinAddress,
  secp256k1Address,
  type CoinAddress,
  type CoinNetwork,
} from '@tetrad/wallet-key';
import { addressFromPublicKey } from '@tetrad/crypto';

/** A file of the folder, and the address whose text it is named for. */
export interface RemoteCoinKeyFile extends RemoteKeyFile<string> {
  readonly coinAddress: CoinAddress;
}

const MAX_FILES = 10_000;
const READS_AT_A_TIME = 16;
const ETHEREUM = /([0-9a-f]{40})$/;
const COIN = /([ft](?:1|410f)[a-z2-7]{39})$/;

/**
 * Reads which keys of HSMs and key services the files of a folder name. A file is called as the address is whose key it names, and
 * `.toml`: `f1…` for a secp256k1 key, `f410f…` or 40 hex digits for a delegated one. The services are not asked.
 *
 * @param network - of the texts of the addresses
 * @throws OperatorError naming the folder or the file, and what is wrong in it
 */
export async function readRemoteKeyFolder(
  folder: string,
  network: CoinNetwork,
): Promise<readonly RemoteCoinKeyFile[]> {
  const names = (await namesIn(folder)).filter(isRemoteKeyFile).sort();
  if (names.length > MAX_FILES) throw new OperatorError(`${folder}: has more than ${MAX_FILES} files`);
  const read = await mapConcurrently(names, READS_AT_A_TIME, (name) =>
    readFileOf(join(folder, name), network),
  );
  const files = new Map<string, RemoteCoinKeyFile>();
  for (const file of read) {
    const other = files.get(file.address);
    if (other !== undefined)
      throw new OperatorError(`${file.path}: ${basename(other.path)} names the key of ${file.address} too`);
    files.set(file.address, file);
  }
  return [...files.values()];
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OperatorError(`${folder}: cannot be read (${code ?? message})`, { cause: error });
  }
}

async function readFileOf(path: string, network: CoinNetwork): Promise<RemoteCoinKeyFile> {
  const coinAddress = addressOfName(basename(path, '.toml'));
  if (coinAddress === undefined)
    throw new OperatorError(
      `${path}: its name must end with the address of the key (f1…, f410f…, or 40 hex digits without 0x), and .toml`,
    );
  const settings = await readRemoteKeySettings(path).catch((error: unknown) => {
    throw error instanceof RemoteKeyError ? new OperatorError(error.message, { cause: error }) : error;
  });
  const { protocol } = coinAddress;
  return {
    path,
    settings,
    coinAddress,
    address: formatCoinAddress(coinAddress, network),
    addressOf: (publicKey) => formatCoinAddress(addressOfKey(protocol, publicKey), network),
  };
}

/** Undefined for a name that ends with no address that a remote key can have. */
function addressOfName(name: string): CoinAddress | undefined {
  const text = COIN.exec(name)?.[1];
  if (text === undefined) {
    const hex = ETHEREUM.exec(name)?.[1];
    return hex === undefined
      ? undefined
      : signable(delegatedFromEthAddress(addressFromBytes(Buffer.from(hex, 'hex'))));
  }
  try {
    return signable(parseCoinAddress(text));
  } catch (error) {
    if (error instanceof RequestError) return undefined;
    throw error;
  }
}

/** Hex of an address that masks an actor id gives an id, which has no key. */
function signable(address: CoinAddress): CoinAddress | undefined {
  if (address.protocol === PROTOCOL.secp256k1) return address;
  return address.protocol === PROTOCOL.delegated && ethAddressOf(address) !== undefined ? address : undefined;
}

/** @param publicKey - 64 bytes x‖y */
function addressOfKey(protocol: CoinAddress['protocol'], publicKey: Uint8Array): CoinAddress {
  if (protocol === PROTOCOL.secp256k1) return secp256k1Address(Uint8Array.of(4, ...publicKey));
  return delegatedFromEthAddress(addressFromPublicKey(publicKey));
}
