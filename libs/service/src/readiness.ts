import { reasonOf } from './startup-error.js';

/**
 * What a reason stands against, the widest effect first:
 *
 * - `clients`: callers get no answers here, or wrong or old ones; their calls belong to another process.
 * - `rollout`: callers are served, but this process has not taken its place yet; the next one must not be stopped.
 * - `operators`: neither taking calls away nor waiting mends it; it is for an alert.
 */
export const READINESS_CLASSES = ['clients', 'rollout', 'operators'] as const;

export type ReadinessClass = (typeof READINESS_CLASSES)[number];

export interface ReadinessReason {
  readonly class: ReadinessClass;
  /** In a few words. */
  readonly reason: string;
}

/** Text: a reason of the class of the check. */
type Findings = ReadinessReason | string | readonly (ReadinessReason | string)[] | undefined;

/** Returns the reasons that hold; undefined, or an empty list, without any. */
export type ReadinessCheck = () => Promise<Findings> | Findings;

/** A check whose texts and failures are of another class than `clients`. */
export interface ClassifiedCheck {
  readonly class: ReadinessClass;
  readonly check: ReadinessCheck;
}

/** Name of the part (`database`, `downstream`, `sync`) → its check; without a class, `clients`. */
export type ReadinessChecks = Readonly<Record<string, ReadinessCheck | ClassifiedCheck>>;

/** A reason that holds, with the name of its check. */
export interface NamedReason extends ReadinessReason {
  readonly name: string;
}

const CHECK_TIMEOUT_MS = 3_000;

/** Runs all checks. One that throws or does not answer in time is itself a reason, and does not hold up the others. */
export async function readReasons(checks: ReadinessChecks): Promise<NamedReason[]> {
  const found = await Promise.all(
    Object.entries(checks).map(async ([name, one]) => {
      const classified = typeof one === 'function' ? { class: 'clients' as const, check: one } : one;
      return (await runCheck(classified)).map((reason) => ({ name, ...reason }));
    }),
  );
  return found.flat();
}

async function runCheck(classified: ClassifiedCheck): Promise<ReadinessReason[]> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((done) => {
    timer = setTimeout(() => done(`no answer within ${CHECK_TIMEOUT_MS} ms`), CHECK_TIMEOUT_MS);
  });
  try {
    return reasonsOf(await Promise.race([classified.check(), timeout]), classified.class);
  } catch (error) {
    return reasonsOf(reasonOf(error), classified.class);
  } finally {
    clearTimeout(timer);
  }
}

function reasonsOf(findings: Findings, ofText: ReadinessClass): ReadinessReason[] {
  if (findings === undefined) return [];
  const all = Array.isArray(findings) ? (findings as readonly (ReadinessReason | string)[]) : [findings];
  return all.map((one) =>
    typeof one === 'string' ? { class: ofText, reason: one } : (one as ReadinessReason),
  );
}
