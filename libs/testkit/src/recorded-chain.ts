import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readRlpItem } from '@tetrad/rlp';

/**
 * A chain that a GoQuorum node exported, as files of a folder of vectors.
 *
 * `NAME.genesis.json` is the file that the node was started with; `NAME.rlp.gz` holds consecutive RLP blocks, block 0
 * first; `NAME.json.gz` contains further recordings.
 */
export class RecordedChain {
  constructor(
    private readonly folder: string,
    readonly name: string,
  ) {}

  genesisFile(): unknown {
    return JSON.parse(this.read(`${this.name}.genesis.json`).toString('utf8'));
  }

  /** @param file - another than that of the whole chain */
  encodedBlocks(file = `${this.name}.rlp.gz`): Uint8Array[] {
    const bytes = this.read(file);
    const blocks: Uint8Array[] = [];
    for (let offset = 0; offset < bytes.length;) {
      const { end } = readRlpItem(bytes, offset);
      blocks.push(bytes.subarray(offset, end));
      offset = end;
    }
    return blocks;
  }

  recording(): unknown {
    return JSON.parse(this.read(`${this.name}.json.gz`).toString('utf8'));
  }

  private read(file: string): Buffer {
    const bytes = readFileSync(join(this.folder, file));
    return file.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  }
}
