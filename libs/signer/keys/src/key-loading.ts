import { availableParallelism } from 'node:os';
import type { KeyEntry, KeySource, Scan, ScanOptions, ScannedEntry } from './key-entry.js';
import { KeyLoadError, faultOf } from './key-load-error.js';
import { identityOf, type KeyOutcome, type KeyTable } from './key-table.js';
import type { PendingKeys } from './pending-keys.js';

/**
 * Key files opened at a time: as many as there are threads, and one that is next, so that one which is asked for does not
 * stand behind all others.
 */
const FILES_AT_A_TIME = availableParallelism() + 1;

/** Entries of vaults and key services opened at a time: as many calls as one service gets. */
export const REMOTE_ENTRIES_AT_A_TIME = 64;

/** @throws KeyLoadError when a source cannot be read at all */
export async function scanSources(sources: readonly KeySource[], options: ScanOptions): Promise<Scan> {
  const scans = await Promise.all(
    sources.map(async (source) => (await source.scan(options)).map((entry) => [source, entry] as const)),
  );
  return scans.flat();
}

export interface LoadOptions {
  /** The loaded table: an entry that did not change is not opened again. */
  readonly previous: KeyTable;
  /** Whether vaults are asked again, and what failed is tried again, although nothing about it changed. */
  readonly refresh: boolean;
  /** Called with every outcome as soon as it is there. */
  readonly onOutcome?: (identity: string, outcome: KeyOutcome) => void;
  /** The entries of the scan; those with waiting requests are taken first. */
  readonly pending: PendingKeys;
}

/** Opens the entries, files and vaults beside each other, so that a silent vault holds up no file. */
export async function loadEntries(scan: Scan, options: LoadOptions): Promise<KeyTable> {
  const outcomes = new Map<string, KeyOutcome>();
  const load = async ([source, scanned]: Scan[number]) => {
    const identity = identityOf(source, scanned.name);
    const outcome = await outcomeOf(source, scanned, options.previous.get(identity), options.refresh);
    outcomes.set(identity, outcome);
    options.onOutcome?.(identity, outcome);
  };
  const isRemote = ([, scanned]: Scan[number]) => 'open' in scanned && scanned.isRemote;
  const openOneByOne = async (isMine: (one: Scan[number]) => boolean) => {
    for (let next = options.pending.take(isMine); next !== undefined; next = options.pending.take(isMine))
      await load(next);
  };
  await Promise.all([
    ...Array.from({ length: FILES_AT_A_TIME }, () => openOneByOne((one) => !isRemote(one))),
    ...Array.from({ length: REMOTE_ENTRIES_AT_A_TIME }, () => openOneByOne(isRemote)),
  ]);
  // In the order of the scan, so that the same files give the same table.
  return new Map(
    scan.map(([source, { name }]) => {
      const identity = identityOf(source, name);
      return [identity, outcomes.get(identity) as KeyOutcome];
    }),
  );
}

async function outcomeOf(
  source: KeySource,
  scanned: ScannedEntry,
  previous: KeyOutcome | undefined,
  refresh: boolean,
): Promise<KeyOutcome> {
  if (!('open' in scanned)) {
    const { fault, isTransient = false } = scanned;
    return { ...unopened(source, scanned.name), fault, isTransient };
  }
  const isSame = previous?.fingerprint === scanned.fingerprint;
  if (isSame && !(refresh && (scanned.isRemote || previous.key === undefined))) return previous;
  const outcome = await openEntry(source, scanned);
  // A vault that does not answer says nothing about a key that it gave for the same settings.
  return isSame && outcome.isTransient && previous.key !== undefined ? previous : outcome;
}

/** Opens one entry, whatever is known of it. */
export async function openEntry(source: KeySource, entry: KeyEntry): Promise<KeyOutcome> {
  const { name, fingerprint, caution, isRemote } = entry;
  const known = { ...unopened(source, name), fingerprint, caution };
  try {
    return { ...known, key: await entry.open() };
  } catch (error) {
    const isTransient = error instanceof KeyLoadError && error.isTransient;
    return { ...known, fault: faultOf(error), isTransient, askAgain: isRemote ? entry : undefined };
  }
}

function unopened(source: KeySource, name: string): KeyOutcome {
  return {
    source,
    name,
    fingerprint: undefined,
    caution: undefined,
    key: undefined,
    fault: undefined,
    isTransient: false,
    askAgain: undefined,
  };
}
