import { EMPTY_OMMERS_HASH, EMPTY_ROOT, decodeBlock, encodeBlock } from '@tetrad/node-block';
import { ISTANBUL_MIX_HASH, bftRules, hashHeader } from '@tetrad/node-consensus-bft';
import { decodeTransaction } from '@tetrad/node-execution';
import { ZERO_ADDRESS, ZERO_HASH, type Block } from '@tetrad/types';
import type { ChainPort, ImportOutcome } from '../src/index.js';

export const CHAIN_ID = 1337n;

/** A block on top of another; `salt` makes it another one. */
export function makeBlock(parent: Block | undefined, { salt = 0, extra = 0 } = {}): Block {
  const number = parent === undefined ? 0 : parent.header.number + 1;
  const header = {
    parentHash: parent?.hash ?? ZERO_HASH,
    ommersHash: EMPTY_OMMERS_HASH,
    beneficiary: ZERO_ADDRESS,
    stateRoot: EMPTY_ROOT,
    transactionsRoot: EMPTY_ROOT,
    receiptsRoot: EMPTY_ROOT,
    logsBloom: new Uint8Array(256).fill(extra),
    difficulty: 1n,
    number,
    gasLimit: 30_000_000n,
    gasUsed: BigInt(salt),
    timestamp: 1_700_000_000n + BigInt(number),
    extraData: bftRules('qbft').genesisExtraData([ZERO_ADDRESS]),
    mixHash: ISTANBUL_MIX_HASH,
    nonce: new Uint8Array(8),
  };
  return { hash: hashHeader(header), header, transactions: [] };
}

/** A chain from the genesis on. */
export function makeChain(length: number, salt = 0): Block[] {
  const blocks = [makeBlock(undefined)];
  while (blocks.length <= length) blocks.push(makeBlock(blocks.at(-1), { salt }));
  return blocks;
}

export const GENESIS = makeBlock(undefined);

/** A chain whose rules are those of the test: linked blocks with valid seals are those whose gas used is below 1,000. */
export class FakeChain implements ChainPort {
  readonly imported: number[] = [];
  verifyInvalid = (block: Block): boolean => block.header.gasUsed >= 1_000n;
  importInvalid = (_block: Block): boolean => false;
  trouble: Error | undefined;
  importMs = 0;
  earlyMs = (_block: Pick<Block, 'header'>): number => 0;
  /** No block is imported before. */
  mayImport: Promise<unknown> = Promise.resolve();
  storing = false;
  /** Absent where blocks are always taken. */
  takesBlocks?: () => boolean;
  /** Replaces what is answered about ranges. */
  answerRange: ((from: number, limit: number) => Promise<Uint8Array[]>) | undefined;
  onImported: (block: Block) => void = () => undefined;
  maxWaiting = 0;
  /** Ranges that peers asked for. */
  ranges = 0;
  private decoded = 0;

  constructor(readonly blocks: Block[] = [GENESIS]) {}

  isStoring(): boolean {
    return this.storing;
  }

  head(): Block {
    return this.blocks.at(-1) as Block;
  }

  async readRange(from: number, limit: number, byteBudget: number): Promise<readonly Uint8Array[]> {
    this.ranges += 1;
    if (this.answerRange !== undefined) return this.answerRange(from, limit);
    const raws: Uint8Array[] = [];
    let bytes = 0;
    for (const block of this.blocks.slice(from, from + limit)) {
      const raw = encodeBlock(block);
      bytes += raw.length;
      if (raws.length > 0 && bytes > byteBudget) break;
      raws.push(raw);
    }
    return raws;
  }

  async decode(raw: Uint8Array): Promise<Block> {
    this.decoded++;
    this.maxWaiting = Math.max(this.maxWaiting, this.decoded - this.imported.length);
    return decodeBlock(raw, { hashHeader, decode: (one) => decodeTransaction(one, CHAIN_ID) });
  }

  async verifyHeaders(blocks: readonly Block[]): Promise<string | undefined> {
    return blocks.some((block) => this.verifyInvalid(block)) ? 'invalid committed seals' : undefined;
  }

  async importBlock(block: Block): Promise<ImportOutcome> {
    if (this.trouble !== undefined) throw this.trouble;
    await this.mayImport;
    if (this.importMs > 0) await new Promise((done) => setTimeout(done, this.importMs));
    if (block.header.number <= this.head().header.number) return { kind: 'known' };
    if (block.header.parentHash !== this.head().hash) return { kind: 'invalid', reason: 'unknown ancestor' };
    if (this.importInvalid(block)) return { kind: 'invalid', reason: 'invalid merkle root' };
    this.blocks.push(block);
    this.imported.push(block.header.number);
    this.onImported(block);
    return { kind: 'imported' };
  }
}
