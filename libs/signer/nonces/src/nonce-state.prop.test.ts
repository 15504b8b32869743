import { describe, expect, it } from '@jest/globals';
import type { NonceState } from '@tetrad/signer-store';
import fc from 'fast-check';
import {
  MOVES,
  NONCE_TRANSITIONS,
  applyNonceEvent,
  type NonceEvent,
  type NonceTarget,
  type ReportedEvent,
} from './nonce-state.js';

const STATES = Object.keys(NONCE_TRANSITIONS) as NonceState[];
const REPORTED: ReportedEvent[] = ['abandon', 'accept', 'refuse', 'doubt', 'refute', 'lose'];

/** The true state of client and chain, which the row can only follow. */
interface World {
  state: NonceTarget;
  /** Bytes were submitted with the nonce, and may not have been refused. */
  out: boolean;
  /** The client said that it has them. */
  acknowledged: boolean;
}

/** An event as it really happens: it changes the world, or cannot happen in it. */
function happen(world: World, event: NonceEvent): World {
  const { state } = world;
  if (state === 'gone') return world;
  // A driver gives a nonce back only before it submits; a dead one may have submitted what it had signed.
  if (event === 'abandon' && world.out) return world;
  const next = applyNonceEvent(state, event);
  if (next === undefined) return world;
  switch (event) {
    case 'doubt':
      return { ...world, state: next, out: true };
    case 'orphan':
      return { ...world, state: next, out: world.out || state === 'signed' };
    case 'accept':
      return { state: next, out: true, acknowledged: true };
    case 'refuse':
    case 'refute':
      return { ...world, state: next, out: false };
    default:
      return { ...world, state: next };
  }
}

const events = fc.array(
  fc.constantFrom<NonceEvent>(
    'reserve',
    'sign',
    'abandon',
    'accept',
    'refuse',
    'doubt',
    'refute',
    'orphan',
    'lose',
    'settle',
  ),
  { maxLength: 30 },
);

describe('the states of a nonce', () => {
  it('never free a nonce while submitted bytes may be accepted, nor after the client has acknowledged them', () => {
    fc.assert(
      fc.property(events, (sequence) => {
        let world: World = { state: 'reserved', out: false, acknowledged: false };
        for (const event of sequence) {
          world = happen(world, event);
          if (world.state === 'free' || world.state === 'reserved') {
            expect(world).toMatchObject({ out: false, acknowledged: false });
          }
        }
      }),
    );
  });

  it('let every nonce come to an end', () => {
    for (const state of STATES) {
      const reached = new Set<NonceTarget>([state]);
      for (const one of reached) {
        if (one !== 'gone') for (const next of Object.values(NONCE_TRANSITIONS[one])) reached.add(next);
      }
      expect([state, reached.has('gone')]).toEqual([state, true]);
    }
  });

  it.each(REPORTED)('lead to one state by %s, wherever it happens', (event) => {
    const { from, to } = MOVES[event];
    expect(from.length).toBeGreaterThan(0);
    for (const state of STATES)
      expect(applyNonceEvent(state, event)).toBe(from.includes(state) ? to : undefined);
  });
});
