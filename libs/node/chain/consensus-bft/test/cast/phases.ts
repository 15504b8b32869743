import { expect } from '@jest/globals';
import type { Phase } from '../../src/machine/state.js';
import { validatorKey } from '../simulator/validator-keys.js';
import { Cast } from './cast.js';
import { MachineDriver } from './machine-driver.js';

/** Four validators of a QBFT chain, and a machine of one of them in every phase. */
export const cast = new Cast(4);
export const proposer = cast.proposer(0);
/** Proposes in no round below 3. */
export const self = cast.proposer(3);
const [first, second] = cast.others(self).filter((key) => key !== proposer);
export const b = first ?? self;
export const c = second ?? self;
export const block = cast.block(proposer);
export const proposal = cast.proposal(proposer, 0, block);
export const prepares = [proposer, b].map((key) => cast.prepare(key, 0, block.hash));
export const commits = [proposer, b].map((key) => cast.commit(key, 0, block));
export const changes = (round: number) => cast.others(self).map((key) => cast.roundChange(key, round));

export const PHASES = [
  'idle',
  'observing',
  'awaiting',
  'validating',
  'preprepared',
  'prepared',
  'committed',
] as const;
export const ACTIVE = ['awaiting', 'validating', 'preprepared', 'prepared'] as const;

/** A machine of `self` in the phase. */
export function inPhase(phase: Exclude<Phase, 'decided'>): MachineDriver {
  if (phase === 'idle') return new MachineDriver(cast, self);
  if (phase === 'observing') return MachineDriver.begin(cast, validatorKey(50));
  const machine = MachineDriver.begin(cast, self);
  if (phase !== 'awaiting') machine.receive(proposal);
  if (phase !== 'awaiting' && phase !== 'validating') machine.validated(block);
  if (phase === 'prepared' || phase === 'committed') machine.receive(...prepares);
  if (phase === 'committed') machine.receive(...commits);
  expect(machine.state.phase).toBe(phase);
  return machine;
}
