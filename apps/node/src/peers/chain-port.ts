import { decodeBlock, encodeBlock } from '@tetrad/node-block';
import type { DecodedTransactions } from '@tetrad/node-execution';
import { HeaderVerifier, importOffered, type Ledger } from '@tetrad/node-ledger';
import type { ChainPort } from '@tetrad/node-peer';
import type { TransactionPool } from '@tetrad/node-pool';

/** The chain as the peer layer reads and extends it. */
export function chainPort(ledger: Ledger, pool: TransactionPool, decoded: DecodedTransactions): ChainPort {
  const headers = new HeaderVerifier(ledger);
  return {
    head: () => ledger.head(),
    isStoring: () => ledger.isStoring(),
    async readRange(from, limit, byteBudget) {
      const blocks: Uint8Array[] = [];
      let bytes = 0;
      for (let number = from; blocks.length < limit && bytes < byteBudget; number++) {
        const block = await ledger.findBlock(number);
        if (block === undefined || !ledger.rules.isSealed(block.header)) break;
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
        decode: (transaction, hash) => decoded.ofBlock(transaction, hash),
        findKnown: (hash) => pool.find(hash),
      }),
    verifyHeaders: (blocks, parent) => headers.verify(blocks, parent),
    importBlock: (block) => importOffered(ledger, block),
    earlyMs: (block) => ledger.earlyMs(block),
  };
}
