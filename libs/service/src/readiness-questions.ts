import type { Metrics } from '@tetrad/types';
import {
  READINESS_CLASSES,
  readReasons,
  type NamedReason,
  type ReadinessChecks,
  type ReadinessClass,
} from './readiness.js';

/**
 * Paths of the operations port, each with its question:
 *
 * - `/readyz`: may clients be sent here?
 * - `/readyz/rollout`: has this process taken its place, so that the next one may be stopped?
 * - `/readyz/started`: has it, once since its start? For a process whose later faults must not take its neighbours away.
 * - `/readyz/pod`: the question of Kubernetes, which has one answer for clients, rollouts and drains: that of
 *   `/readyz/rollout` until it was yes once, then that of `/readyz`.
 */
export const READINESS_QUESTIONS = {
  '/readyz': 'clients',
  '/readyz/rollout': 'rollout',
  '/readyz/started': 'started',
  '/readyz/pod': 'pod',
} as const;

export type ReadinessQuestion = (typeof READINESS_QUESTIONS)[keyof typeof READINESS_QUESTIONS];

/** The answer to a question; the status of the response is 200 or 503. */
export interface Readiness {
  readonly ready: boolean;
  /** Name → reason, for those that the question counts. */
  readonly notReady: Readonly<Record<string, string>>;
  /** Name → reason, for those that it does not count; absent without any. */
  readonly warnings?: Readonly<Record<string, string>>;
}

/** The checks of a service, and whether it has taken its place since its start. */
export class ReadinessQuestions {
  private hasStarted = false;

  constructor(private readonly checks: ReadinessChecks) {}

  async answer(question: ReadinessQuestion): Promise<Readiness> {
    const reasons = await this.read();
    const counted = this.countedBy(question);
    const notReady = byName(reasons.filter((one) => counted.includes(one.class)));
    const warnings = byName(reasons.filter((one) => !counted.includes(one.class)));
    const ready = Object.keys(notReady).length === 0;
    return { ready, notReady, ...(Object.keys(warnings).length === 0 ? {} : { warnings }) };
  }

  /** Shows each reason as a series, for alerts: what an operator must know is more than what takes a service away. */
  measure(metrics: Metrics): void {
    const gauge = metrics.gauge(
      'tetrad_readiness_reason',
      '1 while the named check of /readyz has a reason of the class, otherwise 0',
      ['name', 'class'],
    );
    metrics.onScrape(async () => {
      const reasons = await this.read();
      for (const name of Object.keys(this.checks))
        for (const one of READINESS_CLASSES)
          gauge.set(reasons.some((reason) => reason.name === name && reason.class === one) ? 1 : 0, {
            name,
            class: one,
          });
    });
  }

  private async read(): Promise<NamedReason[]> {
    const reasons = await readReasons(this.checks);
    this.hasStarted ||= reasons.every((one) => one.class === 'operators');
    return reasons;
  }

  private countedBy(question: ReadinessQuestion): readonly ReadinessClass[] {
    if (question === 'clients' || (question === 'pod' && this.hasStarted)) return ['clients'];
    return question === 'started' && this.hasStarted ? [] : ['clients', 'rollout'];
  }
}

function byName(reasons: readonly NamedReason[]): Record<string, string> {
  const texts = new Map<string, string[]>();
  for (const { name, reason } of reasons) texts.set(name, [...(texts.get(name) ?? []), reason]);
  return Object.fromEntries([...texts].map(([name, all]) => [name, all.join('; ')]));
}
