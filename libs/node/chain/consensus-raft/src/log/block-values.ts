import { EtcdError } from '@tetrad/node-etcd';
import type { Hash } from '@tetrad/types';
import type { BlockCodec, LogBlock } from './log-block.js';
import { LogError } from './log-error.js';
import type { LogKeys } from './log-keys.js';
import type { Entry, LogStore } from './log-store.js';

/**
 * The value of a block, by its first byte:
 *
 *   0 (1) ‖ RLP of the block
 *   1 (1) ‖ number of its parts (4, big-endian) ‖ hash of the block (32)
 */
const WHOLE = 0;
const IN_PARTS = 1;
const IN_PARTS_BYTES = 1 + 4 + 32;
/** etcd accepts requests of up to 1.5 MiB by default. */
const PART_BYTES = 1_048_576;
const MAX_PARTS = 64;

/** Blocks as values in etcd, large ones in parts. */
export class BlockValues<Block extends LogBlock> {
  constructor(
    private readonly store: LogStore,
    private readonly keys: LogKeys,
    private readonly codec: BlockCodec<Block>,
  ) {}

  /**
   * The block of an entry of the log.
   * @throws LogError `foreign` for any other entry, `pruned`; EtcdError
   */
  async blockOf({ key, value }: Entry): Promise<Block> {
    const number = this.keys.numberOf(key);
    if (number === undefined) throw new LogError('foreign', `${key} in etcd is not of this software`);
    const encoded = await this.bytesOf(number, value);
    const block = await this.codec.decode(encoded).catch((error: unknown) => {
      throw new LogError(
        'foreign',
        `${key} in etcd is not a block: ${error instanceof Error ? error.message : ''}`,
      );
    });
    if (block.header.number !== number)
      throw new LogError('foreign', `${key} in etcd holds block ${block.header.number}`);
    return block;
  }

  /**
   * The value of the block's key. The parts of a large block are written first.
   * @throws EtcdError
   */
  async valueOf(block: Block): Promise<Uint8Array> {
    const encoded = this.codec.encode(block);
    if (encoded.length <= PART_BYTES) return Buffer.concat([Buffer.of(WHOLE), encoded]);
    const count = Math.ceil(encoded.length / PART_BYTES);
    if (count > MAX_PARTS) throw new EtcdError('too-large', `a block of ${encoded.length} bytes`);
    for (let index = 0; index < count; index++) {
      const value = encoded.subarray(index * PART_BYTES, (index + 1) * PART_BYTES);
      const key = this.keys.part(block.header.number, block.hash, index);
      await this.store.transact({ compare: [], success: [{ kind: 'put', key, value }] });
    }
    const value = Buffer.alloc(IN_PARTS_BYTES);
    value[0] = IN_PARTS;
    value.writeUInt32BE(count, 1);
    value.write(block.hash.slice(2), 5, 'hex');
    return value;
  }

  private async bytesOf(number: number, value: Uint8Array): Promise<Uint8Array> {
    if (value[0] === WHOLE) return value.subarray(1);
    const foreign = () => new LogError('foreign', `block ${number} in etcd is not of this software`);
    const bytes = Buffer.from(value);
    if (bytes[0] !== IN_PARTS || bytes.length !== IN_PARTS_BYTES) throw foreign();
    const count = bytes.readUInt32BE(1);
    const hash = `0x${bytes.subarray(5).toString('hex')}` as Hash;
    if (count > MAX_PARTS) throw foreign();
    const parts: Uint8Array[] = [];
    for (let index = 0; index < count; index++) {
      const { entries } = await this.store.range({ key: this.keys.part(number, hash, index) });
      const [part] = entries;
      if (part === undefined)
        throw new LogError(
          'pruned',
          `parts of block ${number} are no longer in the log in etcd, and it comes from members`,
          number + 1,
        );
      parts.push(part.value);
    }
    return Buffer.concat(parts);
  }
}
