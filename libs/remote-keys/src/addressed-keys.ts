import type { RecoverableSignature } from '@tetrad/crypto';
import { mapConcurrently, type Address, type Clock, type Logger } from '@tetrad/types';
import { AddressedKey } from './addressed-key.js';
import type { RemoteKeyFile } from './key-file/remote-key-file.js';
import type { UnavailableKey } from './key-health.js';
import { RemoteServices } from './remote-services.js';
import type { ServiceGate } from './service-gate.js';
import { asUnavailable, firstReasons } from './unavailable-keys.js';

/**
 * Keys of one service that are asked for at the same time: fewer than may wait for it, so that signatures get their turn while a
 * folder of thousands is opened.
 */
const OPENINGS_AT_A_TIME = 32;

/** Services that are asked for keys at the same time: files of one service that differ in a setting make several. */
const SERVICES_AT_A_TIME = 16;

/** The keys of a program that files name, with the services in which they sign. */
export class AddressedKeys<Name extends string = Address> {
  private readonly services: RemoteServices;
  private readonly keys: ReadonlyMap<Name, AddressedKey<Name>>;

  private isClosed = false;

  private constructor(
    files: readonly RemoteKeyFile<Name>[],
    { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  ) {
    const say = (address: string, now: UnavailableKey | undefined) => {
      if (now === undefined) logger.info('key available again', { address });
      else logger.warn('key unavailable', { address, reason: now.reason });
    };
    this.services = new RemoteServices({ clock, onChange: ({ address }, now) => say(address, now) });
    const { services } = this;
    this.keys = new Map(
      files.map((file) => {
        const onChange = (now: UnavailableKey | undefined) => say(file.address, now);
        return [file.address, new AddressedKey(file, { services, clock, onChange })];
      }),
    );
  }

  /** Starts to open the keys. Services that are away hold nothing up: `unavailable` names their keys. */
  static open<Name extends string>(
    files: readonly RemoteKeyFile<Name>[],
    parts: { readonly clock: Clock; readonly logger: Logger },
  ): AddressedKeys<Name> {
    const keys = new AddressedKeys(files, parts);
    void mapConcurrently([...keys.byService(files).values()], SERVICES_AT_A_TIME, (ofService) =>
      mapConcurrently(ofService, OPENINGS_AT_A_TIME, (address) => keys.start(address)),
    );
    return keys;
  }

  /** In ascending order. */
  list(): readonly Name[] {
    return [...this.keys.keys()].sort();
  }

  has(address: Name): boolean {
    return this.keys.has(address);
  }

  /**
   * Signature of a 32-byte digest; undefined without a key of that address.
   *
   * @throws RequestError KEY_UNAVAILABLE; no signature is used any more then
   */
  async sign(address: Name, digest: Uint8Array): Promise<RecoverableSignature | undefined> {
    try {
      return await this.keys.get(address)?.sign(digest);
    } catch (error) {
      throw asUnavailable(error, address);
    }
  }

  private byService(files: readonly RemoteKeyFile<Name>[]): ReadonlyMap<ServiceGate, readonly Name[]> {
    const addresses = new Map<ServiceGate, Name[]>();
    for (const { address, settings } of files) {
      const gate = this.services.gateOf(settings);
      const known = addresses.get(gate);
      if (known === undefined) addresses.set(gate, [address]);
      else known.push(address);
    }
    return addresses;
  }

  private async start(address: Name): Promise<void> {
    if (!this.isClosed) await this.keys.get(address)?.start();
  }

  /** Why keys cannot sign at present, a line for each of the first ones. */
  unavailable(): readonly string[] {
    return firstReasons(
      [...this.keys.values()].flatMap(({ address, unavailable }) =>
        unavailable === undefined ? [] : [{ name: address, reason: unavailable.reason }],
      ),
    );
  }

  close(): void {
    this.isClosed = true;
    for (const key of this.keys.values()) key.close();
    this.services.close();
  }
}
