import type { SigningKey } from '@tetrad/crypto';
import { ServiceGate, asUnavailable } from '@tetrad/remote-keys';
import type { Clock } from '@tetrad/types';

/** The node key for handshakes, by the side that this node is on. */
export interface HandshakeKeys {
  readonly dialer: SigningKey;
  /** Strangers may begin these handshakes. */
  readonly listener: SigningKey;
}

/**
 * Handshakes of one side that sign at the same time, and those that wait: blocks need the HSM or key service more. As many may wait
 * as the peer network dials at once.
 */
const HANDSHAKES = { concurrency: 1, maxWaiting: 16 };

/**
 * Bounds the calls that handshakes make to the service of the key. Each side has its own bound: however many strangers dial, the
 * dials of this node get their turn.
 *
 * @param options.timeoutMs - for a handshake to wait for its turn
 */
export function boundHandshakes(
  key: SigningKey,
  { clock, timeoutMs }: { readonly clock: Clock; readonly timeoutMs: number },
): HandshakeKeys {
  const bound = (name: string): SigningKey => {
    const gate = new ServiceGate(name, HANDSHAKES, clock);
    const sign: SigningKey['sign'] = async (digest) => {
      try {
        return await gate.run(() => key.sign(digest), AbortSignal.timeout(timeoutMs));
      } catch (error) {
        throw asUnavailable(error, key.address);
      }
    };
    return { address: key.address, publicKey: key.publicKey, sign };
  };
  return { dialer: bound('own dials'), listener: bound('dials of others') };
}
