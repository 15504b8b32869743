import type { RecoverableSignature } from '@tetrad/crypto';
import { RetryTimer, type Address, type BackOff, type Clock } from '@tetrad/types';
import type { RemoteKeyFile } from './key-file/remote-key-file.js';
import type { UnavailableKey } from './key-health.js';
import type { RemoteKey } from './remote-key.js';
import { RemoteKeyError, asRemoteKeyError } from './remote-key-error.js';
import type { RemoteServices } from './remote-services.js';

/** Pauses between attempts to open a key. */
const OPENINGS: BackOff = { firstMs: 1_000, maxMs: 60_000 };
/** After which a request opens a key that could not be opened. */
const REQUESTED_AFTER_MS = 500;

export interface AddressedKeyParts {
  readonly services: Pick<RemoteServices, 'open'>;
  readonly clock: Clock;
  /** Called when the key is not opened, for another reason than before, and when it is opened after that. */
  readonly onChange?: ((now: UnavailableKey | undefined) => void) | undefined;
}

/**
 * A key whose address is known before its service has been reached, so that a program starts while the service is away. It is
 * opened at the start, after pauses until that succeeds, and with each signature that is asked for before.
 */
export class AddressedKey<Name extends string = Address> {
  readonly address: Name;
  private opened: RemoteKey | undefined;
  private opening: Promise<RemoteKey> | undefined;
  private fault: RemoteKeyError | undefined;
  private failedAtMs = -Infinity;
  private readonly timer: RetryTimer;
  private isClosed = false;

  constructor(
    private readonly file: RemoteKeyFile<Name>,
    private readonly parts: AddressedKeyParts,
  ) {
    this.address = file.address;
    this.timer = new RetryTimer(parts.clock, OPENINGS);
  }

  /** Why it cannot sign at present; undefined while it can, and before it was tried. */
  get unavailable(): UnavailableKey | undefined {
    if (this.opened !== undefined) return this.opened.unavailable;
    return this.fault && { code: this.fault.code, reason: this.fault.message };
  }

  /** Asks the service for the key. Resolves when that has succeeded, or failed for the first time. */
  async start(): Promise<void> {
    await this.open().catch(() => undefined);
  }

  /**
   * Signs a 32-byte digest in the service. A key that was not opened a moment ago is not asked for again: who has a node
   * sign, as strangers do by handshakes, would start processes and calls without end.
   *
   * @throws RemoteKeyError; no signature of this call is used any more
   */
  async sign(digest: Uint8Array): Promise<RecoverableSignature> {
    const isTooSoon = this.parts.clock.now() - this.failedAtMs < REQUESTED_AFTER_MS;
    if (this.opened === undefined && isTooSoon && this.fault !== undefined) throw this.fault;
    const key = this.opened ?? (await this.open());
    return key.sign(digest);
  }

  close(): void {
    this.isClosed = true;
    this.timer.cancel();
    this.opened?.close();
  }

  /** One attempt at a time, for all callers. */
  private open(): Promise<RemoteKey> {
    this.opening ??= this.attempt().finally(() => (this.opening = undefined));
    return this.opening;
  }

  private async attempt(): Promise<RemoteKey> {
    this.timer.cancel();
    try {
      const key = await this.parts.services.open(this.file.settings);
      this.assertMine(key);
      this.note(undefined);
      this.opened = key;
      if (this.isClosed) key.close();
      return key;
    } catch (error) {
      const fault = asRemoteKeyError(error, this.file.path);
      this.note(fault);
      this.failedAtMs = this.parts.clock.now();
      if (!this.isClosed) this.timer.tryLater(() => void this.start());
      throw fault;
    }
  }

  private assertMine(key: RemoteKey): void {
    const address = this.file.addressOf(key.publicKey);
    if (address === this.address) return;
    key.close();
    const text = `${this.file.path} is named for ${this.address}, and ${key.name} is the key of ${address}`;
    throw new RemoteKeyError('WRONG_KEY', text);
  }

  private note(fault: RemoteKeyError | undefined): void {
    const isSame = fault?.code === this.fault?.code && fault?.message === this.fault?.message;
    this.fault = fault;
    if (!isSame && !this.isClosed)
      this.parts.onChange?.(fault && { code: fault.code, reason: fault.message });
  }
}
