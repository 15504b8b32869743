import { equals, iterableEquality } from '@jest/expect-utils';

/**
 * Matchers that hold most assertions of this repository, with when they pass: their only argument is the value that is expected, or
 * there is none. What does not pass here is left to Jest, which finds the reason.
 */
const WITH_EXPECTED = {
  toBe: (actual, expected) => Object.is(actual, expected),
  toEqual: (actual, expected) => equals(actual, expected, [iterableEquality]),
  toBeGreaterThan: (actual, expected) => areNumbers(actual, expected) && actual > expected,
  toBeGreaterThanOrEqual: (actual, expected) => areNumbers(actual, expected) && actual >= expected,
  toBeLessThan: (actual, expected) => areNumbers(actual, expected) && actual < expected,
  toBeLessThanOrEqual: (actual, expected) => areNumbers(actual, expected) && actual <= expected,
};
const WITHOUT_EXPECTED = {
  toBeUndefined: (actual) => actual === undefined,
  toBeDefined: (actual) => actual !== undefined,
  toBeNull: (actual) => actual === null,
};

/**
 * Jest makes 400 functions and two stacks for each call of `expect`, more than most assertions of a property test cost. This one makes
 * them when an assertion fails, and for matchers that are not named above.
 * @param expect - of Jest, for one test file
 * @returns what a test file imports as `expect`, with the same results, counts and errors
 */
export function makeQuickExpect(expect) {
  const prototype = prototypeOf(expect);
  const quickExpect = (...actual) => {
    if (actual.length !== 1) return expect(...actual);
    const expectation = Object.create(prototype);
    expectation[ACTUAL] = actual[0];
    return expectation;
  };
  const extend = (matchers) => {
    expect.extend(matchers);
    for (const name of Object.keys(matchers)) leaveToJest(prototype, name, expect);
  };
  return Object.assign(quickExpect, expect, { extend });
}

const ACTUAL = Symbol('actual value');

function prototypeOf(expect) {
  const prototype = {};
  for (const name of Object.keys(expect(undefined))) leaveToJest(prototype, name, expect);
  for (const [name, passes] of Object.entries(WITH_EXPECTED)) define(prototype, name, 1, passes, expect);
  for (const [name, passes] of Object.entries(WITHOUT_EXPECTED)) define(prototype, name, 0, passes, expect);
  return prototype;
}

function leaveToJest(prototype, name, expect) {
  Object.defineProperty(prototype, name, {
    configurable: true,
    get() {
      return expect(this[ACTUAL])[name];
    },
  });
}

function define(prototype, name, argumentCount, passes, expect) {
  Object.defineProperty(prototype, name, {
    value: function matcher(...args) {
      const actual = this[ACTUAL];
      if (args.length === argumentCount && passes(actual, args[0])) return countPassed(expect);
      return failing(() => expect(actual)[name](...args), matcher);
    },
  });
}

function countPassed(expect) {
  const state = expect.getState();
  state.assertionCalls++;
  state.numPassingAsserts++;
}

/** The stack of a failure begins where the test calls the matcher, as Jest's does. */
function failing(match, matcher) {
  try {
    return match();
  } catch (error) {
    Error.captureStackTrace(error, matcher);
    throw error;
  }
}

function areNumbers(...values) {
  return values.every((value) => typeof value === 'number' || typeof value === 'bigint');
}
