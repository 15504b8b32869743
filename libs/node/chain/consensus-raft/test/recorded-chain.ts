import { join } from 'node:path';
import { keccakHash } from '@tetrad/crypto';
import { decodeBlock, encodeHeader } from '@tetrad/node-block';
import { decodeTransaction, parseGenesis, type Genesis } from '@tetrad/node-execution';
import { RecordedChain } from '@tetrad/testkit';
import type { Block, BlockHeader } from '@tetrad/types';

/** A block as it was recorded, and as this library reads it. */
export interface RecordedBlock {
  readonly encoded: Uint8Array;
  readonly block: Block;
}

const recorded = new RecordedChain(join(import.meta.dirname, '../vectors'), 'raft');

/** The genesis file that the nodes of the chain were started with. */
export function recordedGenesis(): Genesis {
  return parseGenesis(recorded.genesisFile());
}

/** Consecutive blocks, block 0 first. */
export function recordedBlocks(): Promise<RecordedBlock[]> {
  const { chainId } = recordedGenesis();
  const hashHeader = (header: BlockHeader) => keccakHash(encodeHeader(header));
  const decode = (raw: Uint8Array) => decodeTransaction(raw, chainId);
  return Promise.all(
    recorded
      .encodedBlocks()
      .map(async (encoded) => ({ encoded, block: await decodeBlock(encoded, { hashHeader, decode }) })),
  );
}
