interface Results {
  readonly numTotalTestSuites: number;
  readonly numPassedTestSuites: number;
  readonly numFailedTestSuites: number;
  readonly numPendingTestSuites: number;
}

export default class ProgressReporter {
  constructor(
    globalConfig: { readonly rootDir: string; readonly maxWorkers: number },
    options?: { readonly now?: () => number; readonly write?: (line: string) => void },
  );
  onRunStart(results: Results): void;
  onTestFileStart(test: { readonly path: string }): void;
  onTestFileResult(test: { readonly path: string }, result: unknown, results: Results): void;
  onRunComplete(): void;
  say(): void;
}
