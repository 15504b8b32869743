import type { Socket } from 'node:net';
import { hostKey } from './host-key.js';

/** How many connections a port for peers holds: of one address, and of all addresses at which no known peer is. */
export class ConnectionLimit {
  private readonly counts = new Map<string, number>();
  private strangers = 0;

  /** @param options.isKnownAddress - in: as `hostKey` returns it */
  constructor(
    private readonly options: {
      readonly perAddress: number;
      readonly strangers: number;
      readonly isKnownAddress: (key: string) => boolean;
    },
  ) {}

  /**
   * Counts the connection until it is closed.
   * @returns false, and nothing counted, when the limit is reached
   */
  admit(socket: Pick<Socket, 'remoteAddress' | 'once'>): boolean {
    const key = hostKey(socket.remoteAddress ?? '');
    const count = this.counts.get(key) ?? 0;
    const isStranger = !this.options.isKnownAddress(key);
    if (isStranger && (count >= this.options.perAddress || this.strangers >= this.options.strangers))
      return false;
    this.counts.set(key, count + 1);
    if (isStranger) this.strangers += 1;
    socket.once('close', () => {
      const left = (this.counts.get(key) ?? 1) - 1;
      if (left === 0) this.counts.delete(key);
      else this.counts.set(key, left);
      if (isStranger) this.strangers -= 1;
    });
    return true;
  }
}
