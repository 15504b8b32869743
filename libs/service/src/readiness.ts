import { reasonOf } from './startup-error.js';

/** Returns in a few words why the service cannot work at the moment; undefined when it can. */
export type ReadinessCheck = () => Promise<string | undefined> | string | undefined;

/** Name of what must be ready (`database`, `downstream`, `sync`) → its check. */
export type ReadinessChecks = Readonly<Record<string, ReadinessCheck>>;

export interface Readiness {
  readonly ready: boolean;
  /** Name → reason, for parts that are not ready. */
  readonly notReady: Readonly<Record<string, string>>;
  /** Name → warning for the operator although the service works; absent without warnings. */
  readonly warnings?: Readonly<Record<string, string>>;
}

const CHECK_TIMEOUT_MS = 3_000;

/**
 * Runs all checks; one that throws or does not answer in time is not ready, and does not hold up the others.
 *
 * In: warnings — checks of the same form that do not make the service unready
 */
export async function readReadiness(
  checks: ReadinessChecks,
  warnings: ReadinessChecks = {},
): Promise<Readiness> {
  const [notReady, warned] = await Promise.all([runChecks(checks), runChecks(warnings)]);
  const ready = Object.keys(notReady).length === 0;
  return { ready, notReady, ...(Object.keys(warned).length === 0 ? {} : { warnings: warned }) };
}

async function runChecks(checks: ReadinessChecks): Promise<Record<string, string>> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await runCheck(check)] as const),
  );
  return Object.fromEntries(
    results.filter((entry): entry is readonly [string, string] => entry[1] !== undefined),
  );
}

async function runCheck(check: ReadinessCheck): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((done) => {
    timer = setTimeout(() => done(`no answer within ${CHECK_TIMEOUT_MS} ms`), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([check(), timeout]);
  } catch (error) {
    return reasonOf(error);
  } finally {
    clearTimeout(timer);
  }
}
