import { seriesNames, type Definition, type Sample, type Scrape } from './exposition.js';
import { readExpression, type LabelMatch, type Selection } from './promql.js';

/** Series that Prometheus makes itself, at every scrape. */
const OF_PROMETHEUS = ['up'];
/** Labels that Prometheus adds to all series. */
const ADDED = ['job', 'instance'];

interface Known {
  readonly definition: Definition;
  readonly samples: readonly Sample[];
}

/** The instruments of a set of scrapes, and expressions checked against them. */
export class Instruments {
  private readonly bySeries = new Map<string, Known>();

  constructor(scrapes: readonly Scrape[]) {
    for (const { definitions, samples } of scrapes)
      for (const definition of definitions)
        for (const name of seriesNames(definition)) {
          const more = samples.filter((sample) => sample.name === name);
          const { samples: before = [] } = this.bySeries.get(name) ?? {};
          this.bySeries.set(name, { definition, samples: [...before, ...more] });
        }
  }

  /**
   * @returns what the expression refers to and no service has
   * @throws Error when it is not PromQL
   */
  faults(expression: string): string[] {
    const { selections, labels } = readExpression(expression);
    const names = selections.map((one) => this.namesOf(one));
    const faults = selections.flatMap((one, index) => this.selectionFaults(one, names[index] ?? []));
    const has = new Set([...ADDED, ...names.flat().flatMap((name) => this.labelsOf(name))]);
    return [...faults, ...labels.filter((label) => !has.has(label)).map((label) => `no label ${label}`)];
  }

  /** The series that the selection names; with a pattern each alternative, whether it exists or not. */
  private namesOf({ name, matches }: Selection): string[] {
    if (name !== undefined) return [name];
    const pattern = matches.find(({ label }) => label === '__name__')?.value ?? '';
    const [, before = '', alternatives = '', after = ''] = /^(.*)\((.*)\)(.*)$/.exec(pattern) ?? [];
    return alternatives.split('|').map((one) => before + one + after);
  }

  private selectionFaults({ matches }: Selection, names: readonly string[]): string[] {
    return names.flatMap((name) => {
      if (OF_PROMETHEUS.includes(name)) return [];
      const known = this.bySeries.get(name);
      if (known === undefined) return [`no metric ${name}`];
      const own = matches.filter(({ label }) => label !== '__name__' && !ADDED.includes(label));
      return own.flatMap((match) => this.matchFaults(name, match, known));
    });
  }

  private matchFaults(name: string, match: LabelMatch, { definition, samples }: Known): string[] {
    if (!this.labelsOf(name).includes(match.label)) return [`metric ${name} has no label ${match.label}`];
    // A gauge has all its series from the start; one of a counter comes with its first event.
    if (definition.kind !== 'gauge') return [];
    const fits = samples.some(({ labels }) => isMatch(match, labels.get(match.label) ?? ''));
    return fits ? [] : [`metric ${name} has no series with ${match.label} ${match.value}`];
  }

  private labelsOf(name: string): readonly string[] {
    const labels = this.bySeries.get(name)?.definition.labels ?? [];
    return name.endsWith('_bucket') ? [...labels, 'le'] : labels;
  }
}

function isMatch({ operator, value }: LabelMatch, actual: string): boolean {
  const isRegular = operator.endsWith('~');
  const equals = isRegular ? new RegExp(`^(?:${value})$`).test(actual) : actual === value;
  return operator.startsWith('!') ? !equals : equals;
}
