import { open, rename, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { RlpFields, copyOf, encodeRlp } from '@tetrad/rlp';
import { bytesFromScalar, hashToBytes, type Hash } from '@tetrad/types';
import { StateFileError } from './state-file-error.js';

/**
 * A file of what peers would answer to a node that joins, in the order in which it asks:
 *
 * magic (16) ‖ record(RLP([genesisHash (32), number, hash (32)])) of the newest block ‖ record(RLP([question, answer]))… ‖ record()
 *
 * A record is its length (4, big-endian) and its bytes; questions and answers are those of the peer protocol. The empty record at the
 * end says that the file is whole.
 */
const MAGIC = Buffer.from('tetrad state 1\n\0', 'latin1');
const LENGTH_BYTES = 4;
/** A question has 24 kB, an answer 4 MiB, at most about; a witness 10 MiB. */
const MAX_RECORD_BYTES = 16 * 1024 * 1024;

/** Which chain a file is of, and its newest block, whose parent has the state in the file. */
export interface StateFileHead {
  readonly genesisHash: Hash;
  readonly number: number;
  readonly hash: Hash;
}

/** A question and its answer, as peers send them. */
export interface StateRecord {
  readonly question: Uint8Array;
  readonly answer: Uint8Array;
}

/** Writes a file beside its path, which has it when it is whole. */
export class StateFileWriter {
  bytes = 0;

  private constructor(
    private readonly file: FileHandle,
    private readonly path: string,
  ) {}

  static async create(path: string, head: StateFileHead): Promise<StateFileWriter> {
    const writer = new StateFileWriter(await open(partOf(path), 'w'), path);
    await writer.write(MAGIC);
    const { genesisHash, number, hash } = head;
    await writer.record(encodeRlp([hashToBytes(genesisHash), bytesFromScalar(number), hashToBytes(hash)]));
    return writer;
  }

  async append({ question, answer }: StateRecord): Promise<void> {
    await this.record(encodeRlp([question, answer]));
  }

  /** Ends the file, which is at its path on the disk then. */
  async end(): Promise<void> {
    await this.record(new Uint8Array(0));
    await this.file.sync();
    await this.file.close();
    await rename(partOf(this.path), this.path);
    const folder = await open(dirname(this.path), 'r');
    await folder.sync().finally(() => folder.close());
  }

  /** Leaves what is written beside the path. */
  async abandon(): Promise<void> {
    await this.file.close();
  }

  private async record(bytes: Uint8Array): Promise<void> {
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(bytes.length);
    await this.write(length);
    await this.write(bytes);
  }

  private async write(bytes: Uint8Array): Promise<void> {
    await this.file.appendFile(bytes);
    this.bytes += bytes.length;
  }
}

/** Reads a file from its beginning, one record at a time. */
export class StateFileReader {
  private position = MAGIC.length;

  private constructor(private readonly file: FileHandle) {}

  /** @throws StateFileError; what the file system fails with */
  static async open(
    path: string,
  ): Promise<{ readonly reader: StateFileReader; readonly head: StateFileHead }> {
    const file = await open(path, 'r');
    const reader = new StateFileReader(file);
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
      if (bytesRead !== MAGIC.length || !buffer.equals(MAGIC))
        throw new StateFileError('this is no file of a state that node export-state wrote');
      const fields = fieldsOf(await reader.record());
      const head = {
        genesisHash: fields.hash('genesis'),
        number: fields.count('number'),
        hash: fields.hash('hash'),
      };
      fields.end();
      return { reader, head };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /**
   * Undefined behind the last one.
   * @throws StateFileError
   */
  async next(): Promise<StateRecord | undefined> {
    const bytes = await this.record();
    if (bytes.length === 0) return undefined;
    const fields = fieldsOf(bytes);
    const question = copyOf(fields.bytes('question', bytes.length));
    const answer = copyOf(fields.bytes('answer', bytes.length));
    fields.end();
    return { question, answer };
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private async record(): Promise<Uint8Array> {
    const length = Buffer.from(await this.read(LENGTH_BYTES)).readUInt32BE(0);
    if (length > MAX_RECORD_BYTES)
      throw new StateFileError(`a record at byte ${this.position} is larger than ${MAX_RECORD_BYTES} bytes`);
    return this.read(length);
  }

  private async read(length: number): Promise<Uint8Array> {
    if (length === 0) return new Uint8Array(0);
    const { bytesRead, buffer } = await this.file.read(Buffer.alloc(length), 0, length, this.position);
    if (bytesRead !== length)
      throw new StateFileError(`the file ends at byte ${this.position + bytesRead}, before its end mark`);
    this.position += length;
    return buffer;
  }
}

function fieldsOf(bytes: Uint8Array): RlpFields {
  return RlpFields.of(bytes, 'record', (message) => new StateFileError(message));
}

const partOf = (path: string) => `${path}.part`;
