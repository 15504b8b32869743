/** How far behind the newest counter a message may be; reordering over several connections is far less. */
export const REPLAY_WINDOW = 1_024;

/** Accepts every counter once; one that is older than the window counts as seen. Source: RFC 4303, section 3.4.3. */
export class ReplayWindow {
  private newest = -1;
  private readonly slots = new Float64Array(REPLAY_WINDOW).fill(-1);

  /** Whether the counter is new; nothing is remembered. */
  isNew(counter: number): boolean {
    return counter > this.newest - REPLAY_WINDOW && this.slots[counter % REPLAY_WINDOW] !== counter;
  }

  /** Only after the message was authenticated: a forged counter must not shut out real ones. */
  remember(counter: number): void {
    this.slots[counter % REPLAY_WINDOW] = counter;
    this.newest = Math.max(this.newest, counter);
  }
}
