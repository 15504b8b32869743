import vm from 'node:vm';
import { LegacyFakeTimers, ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { keepRealm } from './kept-realm.mjs';
import { restoreModules } from './shared-modules.mjs';
import { NO_CONTEXT, withoutContexts } from './without-contexts.mjs';

withoutContexts(vm);

/** What the stack of a failed test shows. */
const STACK_FRAMES = 100;

/**
 * Runs the test files of a worker, one after the other, in the realm of the worker: as in a service, an error of Node.js or of a package
 * is an `Error`, and packages and our sources are loaded once (`shared-modules.mjs`). A file that replaces a source by a mock begins with
 * `@jest-environment-options {"ownSources": true}`. Jest's own environment makes a realm for each file, into which the file loads all
 * packages anew; `@jest-environment node` asks for it.
 */
export default class OneRealmEnvironment {
  #restoreRealm = keepRealm();
  sharesModules = true;
  global = globalThis;

  constructor({ projectConfig }) {
    Error.stackTraceLimit = STACK_FRAMES;
    this.sharesSources = projectConfig.testEnvironmentOptions.ownSources !== true;
    Object.assign(globalThis, projectConfig.globals);
    this.moduleMocker = new ModuleMocker(globalThis);
    const timerConfig = { idToRef: (timer) => timer, refToId: (timer) => timer };
    const options = { config: projectConfig, global: globalThis };
    this.fakeTimers = new LegacyFakeTimers({ ...options, moduleMocker: this.moduleMocker, timerConfig });
    this.fakeTimersModern = new ModernFakeTimers(options);
  }

  async setup() {}

  /** @throws Error that names the members of builtins and packages that the file has changed: later files would see them */
  async teardown() {
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    try {
      this.#restoreRealm();
    } finally {
      restoreModules();
    }
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return NO_CONTEXT;
  }
}
