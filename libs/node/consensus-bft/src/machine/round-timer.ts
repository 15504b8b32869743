import type { Turn } from './turn.js';

/** Gives the round its whole time, from now on. */
export function startRoundTimer(turn: Turn): void {
  const delayMs = turn.height.timeoutMs(turn.state.round);
  turn.emit({ type: 'startTimer', timer: 'round', delayMs, ...turn.view });
}
