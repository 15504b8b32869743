import type { Transition } from './transition.js';

/** Gives the round its whole time, from now on. */
export function startRoundTimer(transition: Transition): void {
  const delayMs = transition.height.timeoutMs(transition.state.round);
  transition.emit({ type: 'startTimer', timer: 'round', delayMs, ...transition.view });
}
