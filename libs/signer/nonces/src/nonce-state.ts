import type { MoveKind, NonceState } from '@tetrad/signer-store';

/**
 * Events of an assigned nonce:
 *
 * reserve — a send uses it             sign    — the signed bytes are stored; from now on they may have been submitted
 * abandon — returned unsubmitted       accept  — the client has the bytes, in its pool or in a block
 * refuse  — the client will not take the bytes, and never had them before
 * doubt   — a submission ended without an answer
 * refute  — refused after a doubt, once no submission can be in flight
 * orphan  — the replica that worked on it is dead
 * lose    — another transaction has the nonce on the chain
 * settle  — the chain has counted past it
 */
export type NonceEvent =
  'reserve' | 'sign' | 'abandon' | 'accept' | 'refuse' | 'doubt' | 'refute' | 'orphan' | 'lose' | 'settle';

/** `gone`: no row; the nonce is used on the chain. */
export type NonceTarget = NonceState | 'gone';

/**
 * State × event → state; a transition that is not listed cannot happen and changes nothing.
 *
 * A nonce becomes free only when no client can have signed bytes for it. Therefore a transaction signed by a dead
 * replica is doubtful, a doubtful transaction is resubmitted with the same bytes until its fate is known, and an
 * accepted nonce never becomes free.
 */
export const NONCE_TRANSITIONS: Readonly<
  Record<NonceState, Readonly<Partial<Record<NonceEvent, NonceTarget>>>>
> = {
  free: { reserve: 'reserved', settle: 'gone' },
  reserved: { sign: 'signed', abandon: 'free', orphan: 'free', settle: 'gone' },
  signed: {
    abandon: 'free',
    accept: 'accepted',
    refuse: 'free',
    doubt: 'doubtful',
    orphan: 'doubtful',
    lose: 'gone',
  },
  doubtful: { accept: 'accepted', doubt: 'doubtful', refute: 'free', orphan: 'doubtful', lose: 'gone' },
  accepted: { accept: 'accepted', orphan: 'accepted', settle: 'gone' },
};

/** The state after the event; undefined when it cannot happen in this state. */
export function applyNonceEvent(state: NonceState, event: NonceEvent): NonceTarget | undefined {
  return NONCE_TRANSITIONS[state][event];
}

/** Events that lead to one state wherever they happen: those that drivers report. */
export type ReportedEvent = 'abandon' | 'accept' | 'refuse' | 'doubt' | 'refute' | 'lose';

/** The events as changes of a stored row. */
export const MOVES: Readonly<Record<ReportedEvent, MoveKind>> = {
  abandon: moveFor('abandon'),
  accept: moveFor('accept'),
  refuse: moveFor('refuse'),
  doubt: moveFor('doubt'),
  refute: moveFor('refute'),
  lose: moveFor('lose'),
};

function moveFor(event: ReportedEvent): MoveKind {
  const states = Object.keys(NONCE_TRANSITIONS) as NonceState[];
  const from = states.filter((state) => applyNonceEvent(state, event) !== undefined);
  return { from, to: applyNonceEvent(from[0] as NonceState, event) as MoveKind['to'] };
}
