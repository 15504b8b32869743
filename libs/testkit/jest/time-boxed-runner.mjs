import vm from 'node:vm';
import circus from 'jest-circus/runner';
import { disablingItsStorages } from './async-storages.mjs';
import { keepCompiledCode } from './compiled-code.mjs';
import { keepSources } from './kept-sources.mjs';
import { makeQuickExpect } from './quick-expect.mjs';
import { shareModules } from './shared-modules.mjs';

keepCompiledCode(vm);

/** A CommonJS module: its default export is a member of what Node imports as the default. */
const { default: runCircus } = circus;

/** Time in ms since 1970 after which no further test file is started; unset or empty, all are. */
const DEADLINE = 'TETRAD_TEST_DEADLINE';

/**
 * Runs a test file as Jest does, unless the time of the run is over: then the file counts as one skipped test, which
 * `./tetrad test` lists by name. A file that has begun is finished.
 */
export default async function runWithinTime(globalConfig, config, environment, runtime, path, sendMessage) {
  const deadline = Number(process.env[DEADLINE] || Infinity);
  if (Date.now() >= deadline) return notStarted(path);
  keepSources(runtime.esmLoader);
  if (environment.sharesModules) shareModules(runtime.esmLoader, environment);
  useQuickExpect(runtime);
  return disablingItsStorages(() => runCircus(globalConfig, config, environment, runtime, path, sendMessage));
}

function useQuickExpect(runtime) {
  const setGlobals = runtime.setGlobalsForRuntime.bind(runtime);
  runtime.setGlobalsForRuntime = (globals) =>
    setGlobals({ ...globals, expect: makeQuickExpect(globals.expect) });
}

/** The result of a file that was not started, in Jest's form. */
function notStarted(path) {
  const now = Date.now();
  const title = 'was not started: the time of this run was over';
  return {
    leaks: false,
    numFailingTests: 0,
    numPassingTests: 0,
    numPendingTests: 1,
    numTodoTests: 0,
    openHandles: [],
    perfStats: {
      start: now,
      end: now,
      runtime: 0,
      slow: false,
      loadTestEnvironmentStart: now,
      loadTestEnvironmentEnd: now,
      setupFilesStart: now,
      setupFilesEnd: now,
    },
    skipped: false,
    snapshot: {
      added: 0,
      fileDeleted: false,
      matched: 0,
      unchecked: 0,
      uncheckedKeys: [],
      unmatched: 0,
      updated: 0,
    },
    testFilePath: path,
    testResults: [
      {
        ancestorTitles: [],
        duration: null,
        failureMessages: [],
        failureDetails: [],
        fullName: title,
        invocations: 0,
        location: null,
        numPassingAsserts: 0,
        retryReasons: [],
        status: 'pending',
        title,
      },
    ],
  };
}
