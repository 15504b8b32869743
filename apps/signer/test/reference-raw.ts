import { readFileSync } from 'node:fs';

interface Vector {
  readonly name: string;
  readonly raw: string;
}

const FOLDER = new URL('../../../libs/signer/transactions/vectors/', import.meta.url);

/** The raw transaction of the scenario in signing-proxy.md, from the vectors of `libs/signer/transactions`. */
export function referenceRaw(scenario: number): string {
  const vectors = ['public-transactions', 'private-transactions'].flatMap(
    (name) => JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as Vector[],
  );
  const raw = vectors.find(({ name }) => name.startsWith(`SP-${scenario},`))?.raw;
  if (raw === undefined) throw new Error(`there is no vector SP-${scenario}`);
  return raw;
}
