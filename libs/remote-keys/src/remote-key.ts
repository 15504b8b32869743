import { addressFromPublicKey, isPublicKey, type RecoverableSignature } from '@tetrad/crypto';
import { backOffMs, pause, spreadMs, type Address, type BackOff, type Clock } from '@tetrad/types';
import { completeSignature } from './complete-signature.js';
import { withDeadline } from './deadline.js';
import { KeyHealth, type UnavailableKey } from './key-health.js';
import type { ServiceKey } from './key-service.js';
import { RemoteKeyError, asRemoteKeyError } from './remote-key-error.js';
import type { ServiceGate } from './service-gate.js';

export interface RemoteKeyOptions {
  readonly gate: ServiceGate;
  readonly clock: Clock;
  /** For one signature or public key: waiting for its turn, all attempts and pauses included. */
  readonly timeoutMs: number;
  /** As in `KeyHealthOptions`. */
  readonly onChange?: ((key: RemoteKey, now: UnavailableKey | undefined) => void) | undefined;
}

/** Pauses between attempts of one signature. */
const ATTEMPTS: BackOff = { firstMs: 100, maxMs: 2_000 };
/** Pauses between questions for a key that is unavailable. */
const PROBES: BackOff = { firstMs: 1_000, maxMs: 60_000 };

/**
 * A key that signs in a service. It gives at most one signature for each call of `sign`, and none once the call has
 * failed: who gets an error may give the nonce of its transaction to another.
 */
export class RemoteKey {
  readonly address: Address;
  private readonly health: KeyHealth;

  private constructor(
    private readonly key: ServiceKey,
    /** 64 bytes x‖y. */
    readonly publicKey: Uint8Array,
    private readonly options: RemoteKeyOptions,
  ) {
    this.address = addressFromPublicKey(publicKey);
    this.health = new KeyHealth({
      clock: options.clock,
      backOff: PROBES,
      probe: () => this.check(),
      onChange: (now) => options.onChange?.(this, now),
    });
  }

  /**
   * Asks the service for the public key.
   *
   * @throws RemoteKeyError
   */
  static async open(key: ServiceKey, options: RemoteKeyOptions): Promise<RemoteKey> {
    return new RemoteKey(key, await readPublicKey(key, options), options);
  }

  get name(): string {
    return this.key.name;
  }

  /** Why it cannot sign at present; undefined while it can. */
  get unavailable(): UnavailableKey | undefined {
    return this.health.unavailable;
  }

  /**
   * Signs a 32-byte digest in the service. Only after an answer that says that nothing was signed is the same digest
   * sent again.
   *
   * @throws RemoteKeyError; no signature of this call is used any more
   */
  async sign(digest: Uint8Array): Promise<RecoverableSignature> {
    const { key, publicKey } = this;
    try {
      const compact = await callService(key, this.options, (signal) => key.sign(digest, signal));
      const signature = completeSignature(compact, { digest, publicKey, name: key.name });
      this.health.succeeded();
      return signature;
    } catch (error) {
      const fault = asRemoteKeyError(error, key.name);
      this.health.failed(fault);
      throw fault;
    }
  }

  /**
   * Asks the service for the public key again.
   *
   * @throws RemoteKeyError; WRONG_KEY when it has another key in its place
   */
  async check(): Promise<void> {
    const now = await readPublicKey(this.key, this.options);
    if (Buffer.compare(now, this.publicKey) !== 0)
      throw new RemoteKeyError('WRONG_KEY', `${this.key.name}: is another key than at the start`);
  }

  /** It is not asked for any more while it is unavailable; what still signs goes on. */
  close(): void {
    this.health.close();
  }
}

async function readPublicKey(key: ServiceKey, options: RemoteKeyOptions): Promise<Uint8Array> {
  const publicKey = await callService(key, options, (signal) => key.readPublicKey(signal));
  if (isPublicKey(publicKey)) return publicKey;
  throw new RemoteKeyError('UNSUPPORTED', `${key.name}: is not a secp256k1 key`);
}

/**
 * One call with its repetitions.
 * @throws RemoteKeyError
 */
async function callService<T>(
  { name }: ServiceKey,
  { gate, clock, timeoutMs }: RemoteKeyOptions,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withDeadline({ clock, timeoutMs, name }, async (signal) => {
    for (let failures = 1; ; failures += 1) {
      try {
        return await gate.run(() => call(signal), signal);
      } catch (error) {
        const fault = asRemoteKeyError(error, name);
        if (!fault.isRepeatable || signal.aborted) throw fault;
        await pause(clock, spreadMs(backOffMs(failures, ATTEMPTS), Math.random()), signal);
        if (signal.aborted) throw fault;
      }
    }
  });
}
