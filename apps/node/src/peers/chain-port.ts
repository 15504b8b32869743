import { decodeBlock, encodeBlock } from '@tetrad/node-block';
import type { TransactionDecoder } from '@tetrad/node-execution';
import { HeaderTrack, isFaultOfBlock, type Ledger } from '@tetrad/node-ledger';
import type { ChainPort, ImportOutcome } from '@tetrad/node-peer';
import type { TransactionPool } from '@tetrad/node-pool';
import type { Block } from '@tetrad/types';

/** The chain as peers read it and add to it. */
export function chainPort(ledger: Ledger, pool: TransactionPool, decoder: TransactionDecoder): ChainPort {
  const track = new HeaderTrack(ledger);
  return {
    head: () => ledger.head(),
    isStoring: () => ledger.isStoring(),
    async readRange(from, limit, byteBudget) {
      const blocks: Uint8Array[] = [];
      let bytes = 0;
      for (let number = from; blocks.length < limit && bytes < byteBudget; number++) {
        const block = await ledger.findBlock(number);
        if (block === undefined) break;
        const encoded = encodeBlock(block);
        bytes += encoded.length;
        if (blocks.length > 0 && bytes > byteBudget) break;
        blocks.push(encoded);
      }
      return blocks;
    },
    decode: (raw) =>
      decodeBlock(raw, {
        hashHeader: (header) => ledger.rules.hashHeader(header),
        decode: (transaction, hash) => decoder.decode(transaction, hash),
        findKnown: (hash) => pool.find(hash),
      }),
    verifyHeaders: (blocks, parent) => track.verify(blocks, parent),
    importBlock: (block) => importBlock(ledger, block),
  };
}

async function importBlock(ledger: Ledger, block: Block): Promise<ImportOutcome> {
  const known = await findKnown(ledger, block);
  if (known !== undefined) return known;
  try {
    await ledger.importBlock(block);
    return { kind: 'imported' };
  } catch (error) {
    if (!isFaultOfBlock(error)) throw error;
    // The head may have moved while it waited for its turn.
    return (await findKnown(ledger, block)) ?? { kind: 'invalid', reason: error.message };
  }
}

async function findKnown(ledger: Ledger, { hash, header }: Block): Promise<ImportOutcome | undefined> {
  if (header.number > ledger.head().header.number) return undefined;
  const own = await ledger.findBlock(header.number);
  if (own?.hash === hash) return { kind: 'known' };
  return { kind: 'invalid', reason: `block ${header.number} is final and another one` };
}
