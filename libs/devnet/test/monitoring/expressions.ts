import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '@tetrad/devnet';

const RULES = 'docker/prometheus/rules';
const DASHBOARDS = 'docker/grafana/dashboards';

/** Values for the variables of dashboards, as Grafana inserts them. */
const VARIABLES: readonly (readonly [RegExp, string])[] = [
  [/\$__rate_interval/g, '1m'],
  [/\$instance/g, '.+'],
];

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly templating: { readonly list: readonly { readonly query: string }[] };
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

/** An expression of a file, and where it is. */
export interface PlacedExpression {
  readonly place: string;
  readonly expression: string;
}

export function readAlerts(): Alert[] {
  return readdirSync(join(ROOT, RULES)).flatMap((file) => {
    const { groups } = parse(readFileSync(join(ROOT, RULES, file), 'utf8')) as {
      readonly groups: readonly { readonly rules: readonly Alert[] }[];
    };
    return groups.flatMap(({ rules }) => rules);
  });
}

export function readDashboards(): Dashboard[] {
  return readdirSync(join(ROOT, DASHBOARDS)).map(
    (file) => JSON.parse(readFileSync(join(ROOT, DASHBOARDS, file), 'utf8')) as Dashboard,
  );
}

/** Of all panels, and of the variables, which list the values of a label of a metric. */
export function panelExpressions(): PlacedExpression[] {
  return readDashboards().flatMap(({ title, panels, templating }) => [
    ...panels.flatMap((panel) =>
      panel.targets.map(({ expr }) => ({ place: `${title} / ${panel.title}`, expression: inserted(expr) })),
    ),
    ...templating.list.flatMap(({ query }) => {
      const [, expression] = /^label_values\((.*), \w+\)$/.exec(query) ?? [];
      return expression === undefined ? [] : [{ place: title, expression }];
    }),
  ]);
}

function inserted(expression: string): string {
  return VARIABLES.reduce((text, [variable, value]) => text.replace(variable, value), expression);
}
