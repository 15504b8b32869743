import { UsageError } from '../usage-error.js';

const MS_PER_MINUTE = 60_000;
/** Options of the command itself; all other arguments are Jest's. */
const OWN_OPTION = /^--(record-durations|second-run|within=.*|changed(=.*)?)$/;

/** The options of `./tetrad test`. */
export interface TestOptions {
  /** Minutes after which no further file is started; undefined when all are. */
  readonly withinMinutes: number | undefined;
  readonly recordsDurations: boolean;
  readonly runsFailedAgain: boolean;
  /** Only what the changes since this revision affect; undefined for all tests. */
  readonly changedSince: string | undefined;
  /** For Jest, which gets every argument that is not ours. */
  readonly jestArguments: readonly string[];
}

/** @throws UsageError that names the option when its value is not a number of minutes above 0 */
export function parseTestOptions(args: readonly string[]): TestOptions {
  const within = args.find((arg) => arg.startsWith('--within='));
  return {
    withinMinutes: within === undefined ? undefined : parseMinutes(within.slice('--within='.length)),
    recordsDurations: args.includes('--record-durations'),
    runsFailedAgain: args.includes('--second-run'),
    changedSince: changedSince(args),
    jestArguments: args.filter((arg) => !OWN_OPTION.test(arg)),
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

/** HEAD for `--changed`: the changes that are not committed. */
function changedSince(args: readonly string[]): string | undefined {
  const option = args.find((arg) => arg === '--changed' || arg.startsWith('--changed='));
  if (option === undefined) return undefined;
  return option === '--changed' ? 'HEAD' : parseRevision(option.slice('--changed='.length));
}

/** A revision is an argument of git, so it must not look like an option. */
function parseRevision(text: string): string {
  if (text !== '' && !text.startsWith('-')) return text;
  throw new UsageError(`--changed: ${JSON.stringify(text)} is not a revision`);
}
