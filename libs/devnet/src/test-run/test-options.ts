import { UsageError } from '../usage-error.js';

const MS_PER_MINUTE = 60_000;

/** The options of `./tetrad test`. */
export interface TestOptions {
  /** Minutes after which no further file is started; undefined when all are. */
  readonly withinMinutes: number | undefined;
  readonly recordsDurations: boolean;
  readonly runsFailedAgain: boolean;
  /** Whether an empty run succeeds. */
  readonly mayBeEmpty: boolean;
  /** Arguments for Jest: all that are not options of ours. */
  readonly jestArguments: readonly string[];
}

/** Fails: UsageError that names the option when its value is not a number of minutes above 0 */
export function parseTestOptions(args: readonly string[]): TestOptions {
  const within = args.find((arg) => arg.startsWith('--within='));
  return {
    withinMinutes: within === undefined ? undefined : parseMinutes(within.slice('--within='.length)),
    recordsDurations: args.includes('--record-durations'),
    runsFailedAgain: args.includes('--second-run'),
    mayBeEmpty: args.some((arg) => arg.startsWith('--changed')),
    jestArguments: args.flatMap(jestArguments),
  };
}

/** When a run that begins now may start its last file, in ms since 1970. */
export function deadlineOf({ withinMinutes }: TestOptions, nowMs: number): number | undefined {
  return withinMinutes === undefined ? undefined : nowMs + withinMinutes * MS_PER_MINUTE;
}

function parseMinutes(text: string): number {
  const minutes = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && minutes > 0) return minutes;
  throw new UsageError(`--within: ${text} is not a number of minutes above 0`);
}

function jestArguments(arg: string): string[] {
  if (arg === '--record-durations' || arg === '--second-run' || arg.startsWith('--within=')) return [];
  if (arg === '--changed') return ['--onlyChanged', '--passWithNoTests'];
  if (arg.startsWith('--changed='))
    return [`--changedSince=${arg.slice('--changed='.length)}`, '--passWithNoTests'];
  return [arg];
}
