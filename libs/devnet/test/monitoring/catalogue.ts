import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@tetrad/devnet';
import { format } from 'prettier';
import type { Definition, Scrape } from './exposition.js';

/** Service → its instruments; `docs/reference/metrics.md` is generated from it. */
export type Catalogue = Readonly<Record<string, readonly Definition[]>>;

const FILE = join(ROOT, 'libs/reference/metrics.json');

/** Of the process, and of the library that measures it; they depend on the version of Node.js. */
const OF_PROCESS = /^(?:process|nodejs)_/;

export function readCatalogue(): Catalogue {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Catalogue;
}

/**
 * Instruments of running services that the catalogue lacks or describes otherwise. With TETRAD_RECORD_METRICS they are
 * added to it instead.
 */
export async function uncataloguedOf(scrapes: readonly Scrape[]): Promise<string[]> {
  const catalogue = readCatalogue();
  const missing = scrapes.flatMap(({ service, definitions }) =>
    definitions
      .filter(({ name }) => !OF_PROCESS.test(name))
      .filter((one) => !catalogue[service]?.some((known) => JSON.stringify(known) === JSON.stringify(one)))
      .map((definition) => ({ service, definition })),
  );
  if (process.env['TETRAD_RECORD_METRICS'] === undefined)
    return missing.map(({ service, definition }) => `${service}: ${JSON.stringify(definition)}`);
  await record(catalogue, missing);
  return [];
}

async function record(
  catalogue: Catalogue,
  added: readonly { readonly service: string; readonly definition: Definition }[],
): Promise<void> {
  const services = [...new Set([...Object.keys(catalogue), ...added.map(({ service }) => service)])].sort();
  const entries = services.map((service) => {
    const all = new Map((catalogue[service] ?? []).map((one) => [one.name, one]));
    for (const one of added) if (one.service === service) all.set(one.definition.name, one.definition);
    return [service, [...all.values()].sort((one, other) => (one.name < other.name ? -1 : 1))] as const;
  });
  const text = JSON.stringify(Object.fromEntries(entries));
  writeFileSync(FILE, await format(text, { parser: 'json', printWidth: 110 }));
}
