/** State of the connection to a peer. Failures count in a row; a connection that lasts resets them. */
export type PeerState =
  | { readonly kind: 'idle'; readonly failures: number }
  | { readonly kind: 'connecting'; readonly failures: number }
  | { readonly kind: 'connected'; readonly failures: number; readonly sinceMs: number }
  | { readonly kind: 'backing off'; readonly failures: number; readonly untilMs: number }
  | { readonly kind: 'banned'; readonly untilMs: number };

export type PeerEvent =
  | { readonly kind: 'dialled' }
  | { readonly kind: 'established'; readonly nowMs: number }
  /** A dial failed, or the connection broke. */
  | { readonly kind: 'failed'; readonly nowMs: number; readonly delayMs: (failures: number) => number }
  /** The other side said good-bye, or forgot the session because it was restarted: no failure. */
  | { readonly kind: 'left'; readonly nowMs: number; readonly delayMs: number }
  | { readonly kind: 'banned'; readonly untilMs: number }
  | { readonly kind: 'tick'; readonly nowMs: number };

export const INITIAL_PEER_STATE: PeerState = { kind: 'idle', failures: 0 };

/** A connection that lasted this long resets the failures before it. */
export const LASTING_MS = 10_000;

/**
 * The state after the event; the same one where the event does not matter.
 *
 * | state       | dialled    | established | failed      | left        | banned | tick            |
 * | idle        | connecting | connected   | backing off | backing off | banned | -               |
 * | connecting  | -          | connected   | backing off | backing off | banned | -               |
 * | connected   | -          | -           | backing off | backing off | banned | -               |
 * | backing off | -          | connected   | -           | -           | banned | idle when over  |
 * | banned      | -          | -           | -           | -           | longer | idle when over  |
 */
export function nextPeerState(state: PeerState, event: PeerEvent): PeerState {
  if (state.kind === 'banned') return afterBan(state, event);
  switch (event.kind) {
    case 'dialled':
      return state.kind === 'idle' ? { kind: 'connecting', failures: state.failures } : state;
    case 'established':
      return state.kind === 'connected'
        ? state
        : { kind: 'connected', failures: state.failures, sinceMs: event.nowMs };
    case 'failed': {
      if (state.kind === 'backing off') return state;
      const failures = standingFailures(state, event.nowMs) + 1;
      return { kind: 'backing off', failures, untilMs: event.nowMs + event.delayMs(failures) };
    }
    case 'left':
      if (state.kind === 'backing off') return state;
      return {
        kind: 'backing off',
        failures: standingFailures(state, event.nowMs),
        untilMs: event.nowMs + event.delayMs,
      };
    case 'banned':
      return { kind: 'banned', untilMs: event.untilMs };
    case 'tick':
      return state.kind === 'backing off' && event.nowMs >= state.untilMs
        ? { kind: 'idle', failures: state.failures }
        : state;
  }
}

function afterBan(state: PeerState & { kind: 'banned' }, event: PeerEvent): PeerState {
  if (event.kind === 'tick' && event.nowMs >= state.untilMs) return INITIAL_PEER_STATE;
  if (event.kind === 'banned') return { kind: 'banned', untilMs: Math.max(event.untilMs, state.untilMs) };
  return state;
}

function standingFailures(state: Exclude<PeerState, { kind: 'banned' }>, nowMs: number): number {
  return state.kind === 'connected' && nowMs - state.sinceMs >= LASTING_MS ? 0 : state.failures;
}
