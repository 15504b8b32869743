import type { Transition } from './transition.js';

/** Starts the full time of the round. */
export function startRoundTimer(transition: Transition): void {
  const delayMs = transition.height.timeoutMs(transition.state.round);
  transition.emit({ type: 'startTimer', timer: 'round', delayMs, ...transition.view });
}
