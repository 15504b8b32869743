import type { Clock } from '@tetrad/types';

/** A token is asked for again that long before it expires. */
const RENEW_BEFORE_MS = 300_000;

/** What a token service gave. */
export interface IssuedToken {
  readonly token: string;
  readonly lifetimeMs: number;
}

interface HeldToken {
  readonly token: string;
  readonly renewAt: number;
}

/** The token with which a service is asked; one request for it at a time, before it expires. */
export class AccessToken {
  private held: HeldToken | undefined;
  private asking: Promise<HeldToken> | undefined;

  /** @param ask - with a time limit of its own, since more than one caller may wait for it */
  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly ask: () => Promise<IssuedToken>,
  ) {}

  /** @throws as `ask` */
  async current(): Promise<string> {
    if (this.held !== undefined && this.clock.now() < this.held.renewAt) return this.held.token;
    this.asking ??= this.renew().finally(() => (this.asking = undefined));
    this.held = await this.asking;
    return this.held.token;
  }

  /** The service did not accept it. */
  discard(token: string): void {
    if (this.held?.token === token) this.held = undefined;
  }

  private async renew(): Promise<HeldToken> {
    const { token, lifetimeMs } = await this.ask();
    // Half of it for tokens that live shorter than that.
    return { token, renewAt: this.clock.now() + lifetimeMs - Math.min(RENEW_BEFORE_MS, lifetimeMs / 2) };
  }
}
