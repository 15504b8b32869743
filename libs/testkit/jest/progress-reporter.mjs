import { relative } from 'node:path';

const INTERVAL_MS = 60_000;

/** Says how many files a run of several has, and once a minute how far it is and which files are running. */
export default class ProgressReporter {
  #globalConfig;
  #now;
  #write;
  #running = new Map();
  #startedAt = 0;
  #results;
  #timer;

  /**
   * @param globalConfig Jest's, of which the root folder and the number of workers are read
   * @param options what a test replaces: the clock, in ms, and where a line is written
   */
  constructor(globalConfig, { now = Date.now, write = (line) => process.stderr.write(`${line}\n`) } = {}) {
    this.#globalConfig = globalConfig;
    this.#now = now;
    this.#write = write;
  }

  onRunStart(results) {
    this.#startedAt = this.#now();
    this.#results = results;
    if (results.numTotalTestSuites < 2) return;
    this.#write(`test: ${results.numTotalTestSuites} files, ${this.#globalConfig.maxWorkers} at a time`);
    this.#timer = setInterval(() => this.say(), INTERVAL_MS);
    this.#timer.unref();
  }

  onTestFileStart({ path }) {
    this.#running.set(path, this.#now());
  }

  onTestFileResult({ path }, _result, results) {
    this.#running.delete(path);
    this.#results = results;
  }

  onRunComplete() {
    clearInterval(this.#timer);
  }

  say() {
    const { numPassedTestSuites, numFailedTestSuites, numPendingTestSuites, numTotalTestSuites } =
      this.#results;
    const over = numPassedTestSuites + numFailedTestSuites + numPendingTestSuites;
    const minutes = Math.round((this.#now() - this.#startedAt) / 60_000);
    const failed = numFailedTestSuites === 0 ? '' : `, ${numFailedTestSuites} failed`;
    const running = [...this.#running].map(([path, since]) => this.#describe(path, since));
    this.#write(
      `test: after ${minutes} min ${over} of ${numTotalTestSuites} files${failed}; running: ${running.join(', ')}`,
    );
  }

  #describe(path, since) {
    return `${relative(this.#globalConfig.rootDir, path)} (${Math.round((this.#now() - since) / 1000)} s)`;
  }
}
