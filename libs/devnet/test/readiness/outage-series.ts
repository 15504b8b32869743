import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@tetrad/devnet';
import type { Scrape } from '../monitoring/exposition.js';

/** What one instance showed at one time. */
export interface Observation {
  readonly instance: string;
  readonly scrape: Scrape;
}

/** Seconds between two rounds of observations, as Prometheus would have made them. */
const INTERVAL_SECONDS = 15;

const RULES = join(ROOT, 'docker/prometheus/rules/tetrad.yml');

/** An alert that is to fire once the last round of observations has lasted for a while; labels and texts as it gives them. */
export interface ExpectedAlert {
  readonly alertname: string;
  readonly fires: readonly {
    readonly exp_labels: Readonly<Record<string, string>>;
    readonly exp_annotations: Readonly<Record<string, string>>;
  }[];
}

/**
 * A test for promtool of the rules on series that services showed. The last round, of a state that does not change by
 * itself any more, is held for so many intervals; no alert may fire before it.
 *
 * @param rounds - all instances at one time, in the order of time
 */
export function seriesTest(
  rounds: readonly (readonly Observation[])[],
  { held, expected }: { readonly held: number; readonly expected: readonly ExpectedAlert[] },
): string {
  const series = new Map<string, (number | undefined)[]>();
  rounds.forEach((round, at) => {
    for (const { instance, scrape } of round)
      for (const { name, labels, value } of scrape.samples) {
        const all = [...labels, ['job', scrape.service], ['instance', instance]] as const;
        const key = `${name}{${all.map(([label, text]) => `${label}=${JSON.stringify(text)}`).join()}}`;
        const values = series.get(key) ?? [];
        values[at] = value;
        series.set(key, values);
      }
  });
  const input = [...series].map(([name, values]) => ({
    series: name,
    values: `${rounds.map((_, at) => values[at] ?? '_').join(' ')} ${values.at(-1) ?? '_'}x${held}`,
  }));
  const before = (rounds.length - 1) * INTERVAL_SECONDS;
  const alerts = expected.flatMap(({ alertname, fires }) => [
    { alertname, eval_time: `${before}s` },
    { alertname, eval_time: `${before + held * INTERVAL_SECONDS}s`, exp_alerts: fires },
  ]);
  const interval = `${INTERVAL_SECONDS}s`;
  const test = { name: 'an outage', interval, input_series: input, alert_rule_test: alerts };
  // JSON is YAML too.
  return JSON.stringify({ rule_files: [RULES], evaluation_interval: interval, tests: [test] });
}

/**
 * The texts of an alert of the rules.
 * @param values - of `{{ … }}` in its summary, in order
 */
export function textsOf(alert: string, values: readonly string[] = []): Readonly<Record<string, string>> {
  const rules = readFileSync(RULES, 'utf8');
  const [, summary = ''] = new RegExp(`alert: ${alert}\\n[\\s\\S]*?summary: '(.*)'`).exec(rules) ?? [];
  let next = 0;
  return {
    summary: summary.replaceAll(/\{\{.*?\}\}/g, () => values[next++] ?? ''),
    runbook_url: `docs/operations/runbook.md#${alert.toLowerCase()}`,
  };
}
