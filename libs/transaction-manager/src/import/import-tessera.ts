import type { Database } from '@tetrad/db';
import type { Logger } from '@tetrad/types';
import { Enclave } from '../enclave/enclave.js';
import { KeyRing } from '../keys/key-ring.js';
import type { KeyPair } from '../keys/key-pair.js';
import { openManagerStore, type ManagerStore } from '../store/open-manager-store.js';
import type { Dialect } from './dump/dialect.js';
import { openTesseraDatabase } from './database-source.js';
import { dumpRecords } from './dump-source.js';
import { importRecords, verifyRecords, type ImportParts } from './import-records.js';
import type { ImportOutcome } from './import-report.js';
import { ManagerSource, type NotGiven } from './manager-source.js';
import { ImportRefusedError } from './import-refused-error.js';
import { TESSERA_TABLES, type TesseraRecord } from './tessera-tables.js';

/** Where payloads of a Tessera come from. */
export type TesseraSource =
  | { readonly dump: string; readonly dialect?: Dialect | undefined }
  /** A PostgreSQL URL. */
  | { readonly databaseUrl: string }
  /** The URL of its peer port, and a file with a hash on each line. */
  | { readonly managerUrl: string; readonly hashesFile: string };

export interface TesseraImport {
  readonly source: TesseraSource;
  /** Ours. */
  readonly database: Database;
  /** At least one. */
  readonly keys: readonly KeyPair[];
  readonly logger: Logger;
  /** Whether records are read and checked, and nothing is stored. */
  readonly dryRun: boolean;
}

/** An import, and the rows that it writes. */
interface StoringImport extends TesseraImport {
  readonly stored: ManagerStore;
}

/** What an import did, or with `dryRun` how many records there are. */
export type TesseraImportResult = (ImportOutcome & Partial<NotGiven>) | { readonly verified: number };

/**
 * Stores what a Tessera stored. A dump or a database is read twice: the first time every record is checked and nothing is
 * stored, so that one bad record leaves ours as it was. A running manager is asked once.
 * @throws ImportRefusedError that names what is wrong and where
 */
export async function importTessera(given: TesseraImport): Promise<TesseraImportResult> {
  const stored = openManagerStore(given.database);
  try {
    const result = await readSource({ ...given, stored });
    if (!('verified' in result)) await recordCompleteness(result, stored);
    return result;
  } finally {
    await stored.close();
  }
}

/** What a Tessera held is all that was stored for its keys, unless it did not give all of it. */
async function recordCompleteness(
  { flagged = 0, missing = 0 }: Partial<NotGiven>,
  { completeness }: ManagerStore,
): Promise<void> {
  if (flagged + missing === 0) await completeness.set('imported');
  else await completeness.reopen();
}

async function readSource(given: StoringImport): Promise<TesseraImportResult> {
  const { source } = given;
  if ('dump' in source) return readTwice(() => dumpRecords(source.dump, source.dialect), given);
  if ('managerUrl' in source) return askManager(source, given);
  const tessera = await openTesseraDatabase(source.databaseUrl);
  try {
    return await readTwice(() => tessera.records(), given);
  } finally {
    await tessera.close();
  }
}

async function readTwice(
  read: () => AsyncIterable<TesseraRecord>,
  given: StoringImport,
): Promise<TesseraImportResult> {
  const verified = await verifyRecords(read());
  if (verified === 0)
    throw new ImportRefusedError(`no rows of ${[...TESSERA_TABLES.keys()].join(', ')} are there`);
  given.logger.info('records verified', { records: verified });
  return given.dryRun ? { verified } : importRecords(read(), partsOf(given));
}

async function askManager(
  { managerUrl, hashesFile }: Extract<TesseraSource, { managerUrl: string }>,
  given: StoringImport,
): Promise<TesseraImportResult> {
  const keys = given.keys.map(({ publicKey }) => publicKey);
  const url = managerUrl.endsWith('/') ? managerUrl : `${managerUrl}/`;
  const manager = new ManagerSource({ url, keys, hashesFile });
  try {
    if (given.dryRun) return { verified: await verifyRecords(manager.records()) };
    const outcome = await importRecords(manager.records(), partsOf(given));
    return { ...outcome, ...manager.notGiven };
  } finally {
    await manager.close();
  }
}

function partsOf({ stored: { payloads, raws, groups }, keys, logger }: StoringImport): ImportParts {
  return { enclave: new Enclave(new KeyRing(keys)), logger, store: payloads, raws, groups };
}
