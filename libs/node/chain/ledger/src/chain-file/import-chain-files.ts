import { InvalidBlockError } from '@tetrad/node-block';
import { TransactionDecodeError } from '@tetrad/node-execution';
import type { SealedHeader } from '@tetrad/types';
import { isFaultOfBlock } from '../fault-of-block.js';
import type { Ledger } from '../ledger.js';
import { ChainFileError, ChainImportError } from './chain-file-error.js';
import type { ChainFile } from './chain-file.js';
import {
  decodeAhead,
  type FileBlock,
  type FileDecoding,
  type FileEntry,
  type FileFault,
} from './decode-ahead.js';
import { differingField, faultyField } from './faulty-field.js';
import { StoredHeaders } from './stored-headers.js';

/** What an import has done so far. */
export interface ImportCounts {
  /** The newest block that was looked at. */
  readonly blockNumber: number;
  /** Blocks that were executed, and their transactions. */
  readonly imported: number;
  readonly transactions: number;
  /** Blocks that were stored before. */
  readonly known: number;
}

export interface ChainImportOptions extends FileDecoding {
  readonly ledger: Pick<Ledger, 'head' | 'listHeaders' | 'importBlock'>;
  readonly files: readonly ChainFile[];
  /**
   * Whether a block is only executed once the next one names its hash: on a chain whose seals do not show that a header
   * is as it was made.
   */
  readonly confirmsByNext: boolean;
  readonly onBlock: (counts: ImportCounts) => void;
  /** Ends the import after the block that is being executed. */
  readonly signal?: AbortSignal;
}

/**
 * Imports the blocks of the files, in their order: each is checked with its seals and executed. Blocks that are stored
 * already are compared and skipped.
 * @returns what was done, also when the signal has ended it
 * @throws ChainImportError at the first block that cannot follow, ChainFileError for a damaged file; the blocks before
 *   it are imported then
 */
export function importChainFiles(options: ChainImportOptions): Promise<ImportCounts> {
  return new ChainImport(options).run();
}

class ChainImport {
  private readonly stored: StoredHeaders;
  private previous: number | undefined;
  private imported = 0;
  private transactions = 0;
  private known = 0;

  constructor(private readonly options: ChainImportOptions) {
    this.stored = new StoredHeaders((from, to) => options.ledger.listHeaders(from, to));
  }

  async run(): Promise<ImportCounts> {
    const { signal, onBlock, ledger } = this.options;
    const isStored = (number: number) => number <= ledger.head().header.number;
    for await (const { entry, next } of decodeAhead({ ...this.options, isStored })) {
      if (signal?.aborted === true) break;
      if (entry.kind === 'fault') throw this.faultOf(entry);
      this.assertOrder(entry);
      const { number } = entry.header;
      if (isStored(number)) await this.compare(entry);
      else await this.execute(entry, next);
      this.previous = number;
      entry.file.markDone(entry.offset + entry.bytes.length);
      onBlock(this.counts());
    }
    return this.counts();
  }

  private counts(): ImportCounts {
    const { imported, transactions, known } = this;
    return { blockNumber: this.previous ?? this.head.header.number, imported, transactions, known };
  }

  private get head(): SealedHeader {
    return this.options.ledger.head();
  }

  /** Consecutive within a file; the next file may begin with blocks that were there before. */
  private assertOrder({ header: { number }, isFirst }: FileBlock): void {
    const { previous } = this;
    const newest = this.head.header.number;
    const expected = isFirst || previous === undefined ? newest + 1 : previous + 1;
    if (number > expected)
      throw new ChainImportError(
        number,
        'number',
        `block ${expected} is missing${isFirst ? ', and the file begins after it' : ' before it'}`,
      );
    if (isFirst || number === expected) return;
    const order = number === previous ? 'comes twice' : `comes after block ${previous}`;
    throw new ChainImportError(number, 'number', `the block ${order}`);
  }

  /** A block that is stored must be the same one. */
  private async compare(entry: FileBlock): Promise<void> {
    const { hash, header, bytes } = entry;
    const own = await this.stored.find(header.number);
    if (own?.hash !== hash) {
      const field = (own && differingField(own.header, header)) ?? 'hash';
      const reason =
        header.number === 0
          ? 'differs from that of the genesis file: the file is of another network, or the genesis file is'
          : `differs from that of the stored block, which has the hash ${own?.hash}`;
      throw new ChainImportError(header.number, field, reason);
    }
    if (header.number === 0 && (await this.decode(entry)).transactions.length > 0)
      throw new ChainImportError(0, 'transactions', `block 0 has none, and here ${bytes.length} bytes`);
    this.known += 1;
  }

  private async execute(entry: FileBlock, next: FileEntry | undefined): Promise<void> {
    const { header, hash } = entry;
    const { number } = header;
    if (header.parentHash !== this.head.hash)
      throw new ChainImportError(
        number,
        'parentHash',
        `is ${header.parentHash}, and block ${number - 1} has the hash ${this.head.hash}: ` +
          'one of the two is damaged, or the file is of another network',
      );
    if (this.options.confirmsByNext) this.assertConfirmed(hash, number, next);
    const block = await this.decode(entry);
    try {
      await this.options.ledger.importBlock(block);
    } catch (error) {
      throw blockFault(number, error);
    }
    this.imported += 1;
    this.transactions += block.transactions.length;
  }

  private assertConfirmed(hash: string, number: number, next: FileEntry | undefined): void {
    if (next?.kind === 'fault') {
      this.previous = number;
      throw this.faultOf(next);
    }
    if (next?.header.number === number + 1 && next.header.parentHash !== hash)
      throw new ChainImportError(
        number,
        'hash',
        `is ${hash}, and block ${number + 1} names ${next.header.parentHash} as its parent: one of the two is damaged`,
      );
  }

  private async decode(entry: FileBlock) {
    try {
      return await entry.decoded();
    } catch (error) {
      throw blockFault(entry.header.number, error);
    }
  }

  private faultOf({ path, offset, error }: FileFault): unknown {
    const number = this.previous === undefined ? this.head.header.number + 1 : this.previous + 1;
    if (error instanceof ChainFileError)
      return new ChainFileError(`block ${number} cannot be read: ${error.message}`);
    if (offset === undefined || !(error instanceof InvalidBlockError)) return error;
    const place = `${path}, at byte ${offset} of the content`;
    return new ChainImportError(number, faultyField(error.message), `${error.message} (${place})`);
  }
}

/** The error as one that names block and field; any other error is returned as it is. */
function blockFault(number: number, error: unknown): unknown {
  if (!isFaultOfBlock(error)) return error;
  const field = error instanceof TransactionDecodeError ? 'transactions' : faultyField(error.message);
  return new ChainImportError(number, field, error.message, true);
}
