/** @jest-environment-options {"ownSources": true} */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

/** Runs in which each of them has to show. */
const SEEDS = 60;

const QUORUM = '../../src/quorum.js';
const RECORD = '../../src/record/signed-record-rlp.js';
const OWN_MESSAGES = '../../src/machine/own-messages.js';
const JUSTIFICATION = '../../src/machine/justification.js';

beforeEach(() => void jest.resetModules());
afterEach(() => {
  for (const module of [QUORUM, RECORD, OWN_MESSAGES, JUSTIFICATION]) jest.unstable_unmockModule(module);
});

/** Puts something broken in the place of a module, for all that is imported from now on. */
function replace(module: string, broken: object): void {
  jest.resetModules();
  jest.unstable_mockModule(module, () => broken);
}

/**
 * What the first seed with a violation found; undefined when none did.
 * @param shown - one that had a violation when this was written: the others run only when a change of the simulator hides it there
 */
async function firstViolation(shown: number): Promise<string | undefined> {
  const { simulate } = await import('./simulation.js');
  const others = Array.from({ length: SEEDS }, (_, index) => index + 1);
  for (const seed of [shown, ...others]) {
    const [violation] = (await simulate(seed)).violations;
    if (violation !== undefined) return violation;
  }
  return undefined;
}

/** The simulator is only worth something if it finds what it looks for. */
describe('the simulator finds validators', () => {
  it('whose quorum is one less', async () => {
    const real = await import('../../src/quorum.js');
    replace(QUORUM, { ...real, quorumOf: (validators: number) => real.quorumOf(validators) - 1 });
    expect(await firstViolation(25)).toMatch(/can be sealed|fork/);
  });

  it('that do not read their record after a restart', async () => {
    const real = await import('../../src/record/signed-record-rlp.js');
    const { EMPTY_RECORD } = await import('../../src/record/signed-record.js');
    replace(RECORD, { ...real, decodeSignedRecord: () => EMPTY_RECORD });
    expect(await firstViolation(7)).toMatch(/ said .*, then /);
  });

  it('that change rounds without their certificate', async () => {
    const real = await import('../../src/machine/own-messages.js');
    const { Transition } = await import('../../src/machine/transition.js');
    const sendRoundChange: typeof real.sendRoundChange = (transition) => {
      const { certificate, ...forgotten } = transition.state.record;
      const forgetful = new Transition(transition.identity, { ...transition.state, record: forgotten });
      const message = real.sendRoundChange(forgetful);
      // It still has the certificate; it only says nothing of it.
      const kept = certificate === undefined ? {} : { certificate };
      transition.set({ record: { ...forgetful.state.record, ...kept } });
      transition.emit(...forgetful.effects());
      return message;
    };
    replace(OWN_MESSAGES, { ...real, sendRoundChange });
    expect(await firstViolation(10)).toMatch(/can be sealed|fork/);
  });

  it('that accept any other block than the one they prepared', async () => {
    const real = await import('../../src/machine/justification.js');
    const justificationOf: typeof real.justificationOf = (height, proposal) =>
      proposal.roundChanges.length >= height.quorum ? 'fresh' : real.justificationOf(height, proposal);
    replace(JUSTIFICATION, { ...real, justificationOf });
    expect(await firstViolation(4)).toMatch(/can be sealed|fork|no progress/);
  });

  it('that require no justification for a block of a later round', async () => {
    const real = await import('../../src/machine/justification.js');
    replace(JUSTIFICATION, { ...real, justificationOf: () => 'prepared' });
    expect(await firstViolation(1)).toMatch(/can be sealed|fork/);
  });
});
