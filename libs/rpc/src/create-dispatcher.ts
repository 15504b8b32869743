import { BodyAnswers } from './body-answers.js';
import type { Dispatcher, DispatcherOptions } from './dispatcher.js';
import { FairTurns } from './fair-turns.js';
import { MethodCalls } from './method-calls.js';
import { namespaceOf } from './method-names.js';

/** Connects framing, limits and handlers. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const served = Object.keys(options.handlers).filter(
    (name) => options.exposed === undefined || options.exposed.includes(namespaceOf(name)),
  );
  const turns = options.turns ?? new FairTurns();
  const calls = new MethodCalls({ ...options, turns }, new Set(served));
  const bodies = new BodyAnswers(calls, options.limits, turns);
  return {
    methodNames: served.sort(),
    handle: (body, caller) => bodies.handle(body, caller),
    answer: (request, caller) => calls.answer(request, caller),
    isSmall: (request) => calls.isSmall(request),
    serves: (method) => calls.serves(method),
  };
}
