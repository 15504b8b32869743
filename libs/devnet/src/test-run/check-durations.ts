/** The time limit of a test file on a quiet host. */
const LIMIT_SECONDS = 60;
/** Files that may take longer. */
const OTHER_LIMITS: Readonly<Record<string, number>> = {
  // The whole demonstration of the README, as users run it.
  'test/readme/readme.scenario.test.ts': 240,
  // Files of several parts that share one network.
  'libs/devnet/test/operations.scenario.test.ts': 150,
  'libs/devnet/test/private-data.scenario.test.ts': 240,
  'libs/devnet/test/up.scenario.test.ts': 150,
};
/** How many times slower than its run a file may be before the file, and not the load of the host, is the cause. */
const TOLERANCE = 3;
/** Shorter files are mostly start-up and do not show how busy the host was. */
const TELLING_SECONDS = 5;
/** Fewer files are not enough to check a run. */
const LEAST_FILES = 5;

export interface TimedFile {
  /** From the root of the repository. */
  readonly file: string;
  readonly seconds: number;
}

export interface Verdict {
  /** How many times as long as recorded the run took, at least 1. Undefined when too few of its files are recorded. */
  readonly slowdown: number | undefined;
  readonly tooSlow: readonly TimedFile[];
}

/**
 * Which files of a run took too long. A busy host makes every file slow; the median of all says how slow, and a file
 * that is far beyond even that has a fault of its own (CONTRIBUTING.md). Where too few files ran to tell, none is checked.
 * @param recorded - seconds on a quiet host, by file
 */
export function checkDurations(
  files: readonly TimedFile[],
  recorded: Readonly<Record<string, number>>,
): Verdict {
  const slowdown = slowdownOf(files, recorded);
  if (slowdown === undefined) return { slowdown, tooSlow: [] };
  const factor = TOLERANCE * slowdown;
  return { slowdown, tooSlow: files.filter(({ file, seconds }) => seconds > limitOf(file) * factor) };
}

/** Seconds that the file may take on a quiet host. */
export function limitOf(file: string): number {
  return OTHER_LIMITS[file] ?? LIMIT_SECONDS;
}

function slowdownOf(
  files: readonly TimedFile[],
  recorded: Readonly<Record<string, number>>,
): number | undefined {
  const ratios = files
    .flatMap(({ file, seconds }) => {
      const before = recorded[file];
      return before === undefined || before < TELLING_SECONDS ? [] : [seconds / before];
    })
    .sort((a, b) => a - b);
  if (ratios.length < LEAST_FILES) return undefined;
  return Math.max(1, ratios[Math.floor(ratios.length / 2)] ?? 1);
}
