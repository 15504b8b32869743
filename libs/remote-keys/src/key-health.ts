import { RetryTimer, type BackOff, type Clock } from '@tetrad/types';
import { RemoteKeyError, type RemoteKeyFault } from './remote-key-error.js';

/** A key that cannot sign at present. */
export interface UnavailableKey {
  readonly code: RemoteKeyFault;
  readonly reason: string;
}

export interface KeyHealthOptions {
  readonly clock: Clock;
  readonly backOff: BackOff;
  /**
   * Asks the service whether the key is there.
   * @throws RemoteKeyError
   */
  readonly probe: () => Promise<void>;
  /** Called when the key becomes unavailable, for another reason than before, or available again. */
  readonly onChange?: ((now: UnavailableKey | undefined) => void) | undefined;
}

/**
 * Whether a key can sign, by the outcome of its last call. An unavailable key is asked for its public key from time to
 * time, so that it becomes available without a request. A refusal to sign, or the signature of another key, ends only
 * with a signature: the service gives the public key in both cases.
 */
export class KeyHealth {
  private current: UnavailableKey | undefined;
  private readonly timer: RetryTimer;
  private isClosed = false;

  constructor(private readonly options: KeyHealthOptions) {
    this.timer = new RetryTimer(options.clock, options.backOff);
  }

  /** Undefined while it can. */
  get unavailable(): UnavailableKey | undefined {
    return this.current;
  }

  succeeded(): void {
    this.timer.cancel();
    this.timer.succeeded();
    this.set(undefined);
  }

  /** A call failed; one that was not made says nothing. */
  failed({ code, message }: RemoteKeyError): void {
    if (code === 'BUSY' || this.isClosed) return;
    this.set({ code, reason: message });
    if (code !== 'DENIED' && code !== 'WRONG_KEY' && !this.timer.isWaiting) this.probeLater();
  }

  close(): void {
    this.isClosed = true;
    this.timer.cancel();
  }

  private probeLater(): void {
    this.timer.tryLater(() => {
      void this.options.probe().then(
        () => this.succeeded(),
        (error: unknown) => {
          if (error instanceof RemoteKeyError && error.code !== 'BUSY') this.failed(error);
          else if (!this.isClosed) this.probeLater();
        },
      );
    });
  }

  private set(next: UnavailableKey | undefined): void {
    const before = this.current;
    this.current = next;
    if (this.isClosed || (before?.code === next?.code && before?.reason === next?.reason)) return;
    this.options.onChange?.(next);
  }
}
