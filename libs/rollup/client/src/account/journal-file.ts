import { readFile } from 'node:fs/promises';
import { takeFolderLock, writeWhole, type FolderLock } from '@tetrad/files';
import { OperatorError } from '@tetrad/types';
import type { JournalStore } from './journal-store.js';

const LOCK_WAIT_MS = 60_000;

/** A journal in a file, which one process at a time has open. */
class JournalFile implements JournalStore {
  constructor(
    readonly name: string,
    private readonly lock: FolderLock,
  ) {}

  async read(): Promise<string | undefined> {
    return readFile(this.name, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw new OperatorError(`${this.name}: cannot be read (${error.code})`);
    });
  }

  write(text: string): Promise<void> {
    return writeWhole(this.name, text, 0o600);
  }

  close(): Promise<void> {
    return this.lock.release();
  }
}

/**
 * Opens a file for a journal.
 *
 * @param path - the file, which need not exist
 * @returns the store, locked
 * @throws FolderInUseError when another process has it for long
 */
export async function openJournalFile(path: string): Promise<JournalStore> {
  return new JournalFile(path, await takeFolderLock(`${path}.lock`, LOCK_WAIT_MS));
}
