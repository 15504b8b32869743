import { join } from 'node:path';
import { decodeBlock } from '@tetrad/node-block';
import { hashHeader } from '@tetrad/node-consensus-bft';
import { decodeTransaction, parseGenesis, type Genesis } from '@tetrad/node-execution';
import { RecordedChain } from '@tetrad/testkit';
import type { Block } from '@tetrad/types';

/** A block as it was recorded, and as this library reads it. */
export interface RecordedBlock {
  readonly encoded: Uint8Array;
  readonly block: Block;
}

const chainOf = (name: string) => new RecordedChain(join(import.meta.dirname, '../vectors'), name);

/** The genesis file that the nodes of the chain were started with. */
export function recordedGenesis(chain: string): Genesis {
  return parseGenesis(chainOf(chain).genesisFile());
}

/** Consecutive blocks, block 0 first. */
export function recordedBlocks(chain: string, file?: string): Promise<RecordedBlock[]> {
  const { chainId } = recordedGenesis(chain);
  const decode = (raw: Uint8Array) => decodeTransaction(raw, chainId);
  return Promise.all(
    chainOf(chain)
      .encodedBlocks(file)
      .map(async (encoded) => ({ encoded, block: await decodeBlock(encoded, { hashHeader, decode }) })),
  );
}
