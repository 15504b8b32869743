import type { Address } from '@tetrad/types';
import type { Effect, Report } from './effects.js';
import type { Height } from './height.js';
import type { MachineState } from './state.js';

/** The validator of the machine. */
export interface MachineIdentity {
  readonly address: Address;
  /**
   * A 65-byte signature of the digest, the same one each time while a height is open: the same input gives the same message.
   * Undefined while the key, which is elsewhere, does not sign: the message is not sent then, as one that the record forbids.
   */
  readonly sign: (digest: Uint8Array) => Uint8Array | undefined;
  /** Whether it signs nothing, as it cannot know what its key has signed, or its operator paused it. */
  readonly isSilent?: boolean;
}

/** One event being handled: the state so far, and the effects so far. */
export class Transition {
  private readonly made: Effect[] = [];

  constructor(
    readonly identity: MachineIdentity,
    private current: MachineState,
  ) {}

  get state(): MachineState {
    return this.current;
  }

  /**
   * The height being decided.
   * @throws before the first head, which `step` has excluded
   */
  get height(): Height {
    if (this.current.height === undefined) throw new Error('a machine without a head has no height');
    return this.current.height;
  }

  get view() {
    return { height: this.height.height, round: this.current.round };
  }

  set(changes: Partial<MachineState>): void {
    this.current = { ...this.current, ...changes };
  }

  emit(...effects: readonly Effect[]): void {
    this.made.push(...effects);
  }

  /** Reports an offence of a validator once per height, however often it happens. */
  reportOnce(report: Report): void {
    const key = `${report.what}:${report.sender ?? ''}`;
    if (this.current.reported.has(key)) return;
    this.set({ reported: new Set(this.current.reported).add(key) });
    this.emit({ type: 'report', report });
  }

  /**
   * The effects, preceded by one `persist` with everything that was signed.
   *
   * Storing earlier and more than the next message needs is safe; storing later is not.
   */
  effects(): readonly Effect[] {
    const persist = this.made.findLast(({ type }) => type === 'persist');
    if (persist === undefined) return this.made;
    return [persist, ...this.made.filter(({ type }) => type !== 'persist')];
  }
}

/** Gives the round its whole time, from now on. */
export function startRoundTimer(transition: Transition): void {
  const delayMs = transition.height.timeoutMs(transition.state.round);
  transition.emit({ type: 'startTimer', timer: 'round', delayMs, ...transition.view });
}
