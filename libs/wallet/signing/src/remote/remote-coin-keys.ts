import { encodeSignature65 } from '@tetrad/crypto';
import { AddressedKeys } from '@tetrad/remote-keys';
import type { Clock, Logger } from '@tetrad/types';
import {
  DIGEST,
  PROTOCOL,
  formatCoinAddress,
  signatureTypeOf,
  type CoinAddress,
  type CoinNetwork,
  type CoinSignature,
  type KeyKind,
} from '@tetrad/wallet-key';
import type { RemoteCoinKeyFile } from './remote-key-folder.js';

/** Keys of the wallet that sign in HSMs and key services (docs/adr/0250). */
export class RemoteCoinKeys {
  private constructor(
    private readonly keys: AddressedKeys<string>,
    private readonly network: CoinNetwork,
    /** Texts of the addresses, sorted. */
    readonly addresses: readonly string[],
  ) {}

  /** Starts to open the keys. Services that are away hold nothing up: `unavailable` names their keys. */
  static open(
    files: readonly RemoteCoinKeyFile[],
    { network, ...parts }: { readonly network: CoinNetwork; readonly clock: Clock; readonly logger: Logger },
  ): RemoteCoinKeys {
    const keys = AddressedKeys.open(files, parts);
    return new RemoteCoinKeys(keys, network, keys.list());
  }

  has(address: CoinAddress): boolean {
    return this.addresses.length > 0 && this.keys.has(formatCoinAddress(address, this.network));
  }

  /**
   * Signs data, which is not yet hashed, in the service of the key.
   *
   * @returns undefined when no file names a key of the address
   * @throws RequestError KEY_UNAVAILABLE; no signature is used any more then
   */
  async sign(address: CoinAddress, data: Uint8Array): Promise<RemoteSignature | undefined> {
    if (!this.has(address)) return undefined;
    const key = address.protocol === PROTOCOL.secp256k1 ? 'secp256k1' : 'delegated';
    const made = await this.keys.sign(formatCoinAddress(address, this.network), DIGEST[key](data));
    if (made === undefined) return undefined;
    return { key, signature: { type: signatureTypeOf(key), data: encodeSignature65(made) } };
  }

  /** Why keys cannot sign at present, a line for each of the first ones. */
  unavailable(): readonly string[] {
    return this.keys.unavailable();
  }

  close(): void {
    this.keys.close();
  }
}

export interface RemoteSignature {
  readonly key: KeyKind;
  readonly signature: CoinSignature;
}
