import { readFileSync } from 'node:fs';

/** A signed transaction of the vectors of `libs/signer/transactions`. */
export interface TransactionVector {
  /** Begins with the scenario, as `SP-33`: libs/signer/transactions/vectors/ORIGIN.md. */
  readonly name: string;
  readonly privateKey: string;
  readonly chainId: string;
  readonly transaction: Readonly<Record<string, unknown>>;
  readonly raw: string;
}

const FOLDER = new URL('../../../libs/signer/transactions/vectors/', import.meta.url);

export function readVectors<T = TransactionVector>(name: string): readonly T[] {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as T[];
}

/** The raw transaction of the scenario. */
export function referenceRaw(scenario: number): string {
  const vectors = ['public-transactions', 'private-transactions'].flatMap((name) => readVectors(name));
  const raw = vectors.find(({ name }) => name.startsWith(`SP-${scenario},`))?.raw;
  if (raw === undefined) throw new Error(`no vector SP-${scenario}`);
  return raw;
}
