/** An instrument, as `GET /metrics/definitions` describes it. */
export interface Definition {
  readonly name: string;
  readonly kind: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** A line of `GET /metrics`. */
export interface Sample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

/** What one service shows on its operations port. */
export interface Scrape {
  readonly service: string;
  readonly definitions: readonly Definition[];
  readonly samples: readonly Sample[];
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** @param opsUrl - without a slash at the end */
export async function scrape(service: string, opsUrl: string): Promise<Scrape> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text();
  const definitions = await (await fetch(`${opsUrl}/metrics/definitions`)).json();
  return { service, definitions: definitions as Definition[], samples: readSamples(text) };
}

/** @throws Error with a line that is not of the text format */
export function readSamples(text: string): Sample[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const found = LINE.exec(line);
    if (found === null) throw new Error(`not a sample: ${line}`);
    const [, name = '', labels = '', value] = found;
    const pairs = [...labels.matchAll(LABEL)].map(([, label = '', text = '']) => [label, text] as const);
    return { name, labels: new Map(pairs), value: Number(value) };
  });
}

/** The names of the series of an instrument. */
export function seriesNames({ name, kind }: Definition): string[] {
  if (kind === 'histogram') return [`${name}_bucket`, `${name}_sum`, `${name}_count`];
  return kind === 'summary' ? [name, `${name}_sum`, `${name}_count`] : [name];
}
