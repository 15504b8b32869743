import { OperatorError } from '@tetrad/types';
import type { JournalStore } from '../account/journal-store.js';

const DATABASE = 'tetrad-rollup';
const STORE = 'journals';
const LOCK_WAIT_MS = 60_000;

/** What of IndexedDB and of locks is used; their types come with those of browsers. */
interface Asked<Value> {
  readonly result: Value;
  readonly error: Error | null;
  onsuccess: (() => void) | null;
  onerror: (() => void) | null;
}
interface Transaction {
  readonly error: Error | null;
  oncomplete: (() => void) | null;
  onabort: (() => void) | null;
  objectStore(name: string): { get(key: string): Asked<unknown>; put(value: string, key: string): unknown };
}
interface Database {
  createObjectStore(name: string): unknown;
  transaction(store: string, mode: 'readonly' | 'readwrite', options: { durability: 'strict' }): Transaction;
  close(): void;
}
interface Platform {
  readonly indexedDB?: {
    open(name: string, version: number): Asked<Database> & { onupgradeneeded: (() => void) | null };
  };
  readonly navigator?: {
    readonly locks?: {
      request(name: string, options: { signal: AbortSignal }, held: () => Promise<void>): Promise<unknown>;
    };
  };
}

/**
 * Opens a journal in the browser: in IndexedDB, under a lock that the pages of an origin share.
 *
 * @param name - of the journal; one for each account
 * @returns the journal
 * @throws OperatorError where the browser has no such storage, or another page has the journal open for long
 */
export async function openBrowserJournal(name: string): Promise<JournalStore> {
  const release = await takeLock(name);
  try {
    return new BrowserJournal(name, await openDatabase(name), release);
  } catch (error) {
    release();
    throw error;
  }
}

class BrowserJournal implements JournalStore {
  constructor(
    readonly name: string,
    private readonly database: Database,
    private readonly release: () => void,
  ) {}

  async read(): Promise<string | undefined> {
    const asked = this.begin('readonly').objectStore(STORE).get(this.name);
    const value = await answerOf(asked, this.name);
    return value === undefined ? undefined : String(value);
  }

  write(text: string): Promise<void> {
    const transaction = this.begin('readwrite');
    const stored = new Promise<void>((done, failed) => {
      transaction.oncomplete = () => done();
      transaction.onabort = () => failed(problem(this.name, 'cannot be written', transaction.error));
    });
    transaction.objectStore(STORE).put(text, this.name);
    return stored;
  }

  async close(): Promise<void> {
    this.database.close();
    this.release();
  }

  /** Strict: what is stored survives the end of the machine. */
  private begin(mode: 'readonly' | 'readwrite'): Transaction {
    return this.database.transaction(STORE, mode, { durability: 'strict' });
  }
}

function takeLock(name: string): Promise<() => void> {
  const { locks } = (globalThis as Platform).navigator ?? {};
  if (locks === undefined)
    throw new OperatorError(`${name}: needs the locks of a browser, which pages of http:// do not have`);
  return new Promise((taken, failed) => {
    const held = () => new Promise<void>((release) => taken(release));
    locks
      .request(`${DATABASE}:${name}`, { signal: AbortSignal.timeout(LOCK_WAIT_MS) }, held)
      .catch((error: unknown) => failed(problem(name, 'another page has it open', error)));
  });
}

function openDatabase(name: string): Promise<Database> {
  const { indexedDB } = globalThis as Platform;
  if (indexedDB === undefined) throw new OperatorError(`${name}: needs IndexedDB, which is not here`);
  const asked = indexedDB.open(DATABASE, 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
  return answerOf(asked, name);
}

function answerOf<Value>(asked: Asked<Value>, name: string): Promise<Value> {
  return new Promise((done, failed) => {
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(problem(name, 'cannot be read', asked.error));
  });
}

const problem = (name: string, what: string, cause: unknown): OperatorError =>
  new OperatorError(`${name}: ${what} (${cause instanceof Error ? cause.message : String(cause)})`, {
    cause,
  });
