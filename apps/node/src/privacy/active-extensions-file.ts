import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '@tetrad/files';
import type { ActiveExtension, PrivateStateStore } from '@tetrad/node-store';
import type { Logger } from '@tetrad/types';

export const ACTIVE_EXTENSIONS_FILE = 'activeExtensions.json';

interface Parts {
  readonly folder: string;
  readonly store: Pick<PrivateStateStore, 'listKnownExtensions'>;
  readonly logger: Logger;
}

/**
 * Writes the active extensions to the file that GoQuorum has, for scripts that read it. The node itself does not: its
 * extensions are rows of the database, and the file follows them, after a crash as well.
 *
 * Without extensions no file is created, which means the same as an empty one. A file that cannot be written is tried again
 * with the next block.
 *
 * Source: docs/spec/contract-extension.md#file-of-active-extensions
 */
export class ActiveExtensionsFile {
  private readonly path: string;
  private written: string | undefined;
  private running: Promise<void> | undefined;
  private isWanted = false;
  private hasFailed = false;

  constructor(private readonly parts: Parts) {
    this.path = join(parts.folder, ACTIVE_EXTENSIONS_FILE);
  }

  /** Writes the file in the background when the extensions have changed. */
  wake(): void {
    this.isWanted = true;
    this.running ??= this.run().finally(() => (this.running = undefined));
  }

  async stop(): Promise<void> {
    this.isWanted = false;
    await this.running;
  }

  private async run(): Promise<void> {
    while (this.isWanted) {
      this.isWanted = false;
      try {
        await this.update();
        this.hasFailed = false;
      } catch (error) {
        if (!this.hasFailed)
          this.parts.logger.warn('the list of active extensions cannot be written', {
            path: this.path,
            error,
          });
        this.hasFailed = true;
      }
    }
  }

  private async update(): Promise<void> {
    const rows = await this.parts.store.listKnownExtensions();
    const text = encodeActiveExtensions(rows);
    if (text === this.written || (rows.length === 0 && !existsSync(this.path))) return;
    await writeWhole(this.path, text);
    this.written = text;
  }
}

/**
 * Layout: {"psiContracts":{"private":{"<management contract>":{contractExtended, initiator, recipient,
 *         managementContractAddress, recipientPtmKey, creationData}}}}, in the order of the addresses; creationData is base64
 */
function encodeActiveExtensions(rows: readonly ActiveExtension[]): string {
  const entries = rows.map(({ management, contract, initiator, recipient, recipientKey, creation }) => [
    management,
    {
      contractExtended: contract,
      initiator,
      recipient,
      managementContractAddress: management,
      recipientPtmKey: recipientKey,
      creationData: Buffer.from(creation).toString('base64'),
    },
  ]);
  entries.sort(([first = ''], [second = '']) => (first < second ? -1 : 1));
  return JSON.stringify({ psiContracts: { private: Object.fromEntries(entries) } });
}
