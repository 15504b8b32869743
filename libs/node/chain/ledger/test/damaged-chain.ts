import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeTransaction } from '@tetrad/node-execution';
import type { Hash } from '@tetrad/types';
import { ChainFile, ChainFileError, ChainImportError, importChainFiles, type Ledger } from '../src/index.js';

/** A recorded block: its bytes, and its hash. */
export interface KnownBlock {
  readonly encoded: Uint8Array;
  readonly block: { readonly hash: Hash };
}

export interface DamageSettings {
  /** Block 0 first. */
  readonly blocks: readonly KnownBlock[];
  readonly confirmsByNext: boolean;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Damaged files for each block. */
  readonly flipsPerBlock: number;
  /** A block after those, which is in files and is not damaged. */
  readonly last?: KnownBlock | undefined;
}

/** The part of a block with its header, about; it is damaged as often as the whole. */
const HEADER_BYTES = 900;
/** Blocks of a file from the damaged one on. */
const FILE_BLOCKS = 3;

/**
 * Imports a chain block by block; before each one it offers files in which one byte of the block is changed.
 * @returns the error for every damaged file
 * @throws Error when such a file was imported, or changed the head
 */
export async function importDamaged(ledger: Ledger, settings: DamageSettings): Promise<Error[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-damaged-'));
  const path = join(folder, 'blocks.rlp');
  const { blocks, last } = settings;
  const all = last === undefined ? blocks : [...blocks, last];
  const refusals: Error[] = [];
  const offer = async (parts: readonly Uint8Array[]) => {
    await writeFile(path, Buffer.concat(parts));
    const { chainId } = ledger.genesis;
    return importChainFiles({
      ledger,
      files: [await ChainFile.find(path)],
      confirmsByNext: settings.confirmsByNext,
      hashHeader: (header) => ledger.rules.hashHeader(header),
      decodeAll: async (raws) => {
        const transactions = raws.map((raw) => decodeTransaction(raw, chainId));
        return () => transactions;
      },
      onBlock: () => undefined,
    });
  };
  try {
    for (const [number, { encoded, block }] of blocks.entries()) {
      const after = all.slice(number + 1, number + FILE_BLOCKS).map((next) => next.encoded);
      const before = ledger.head().hash;
      for (let flip = 0; flip < settings.flipsPerBlock; flip++) {
        const reach = flip % 2 === 0 ? Math.min(HEADER_BYTES, encoded.length) : encoded.length;
        const at = Math.floor(settings.random() * reach);
        const refusal = await refusalOf(offer([flipped(encoded, at, settings.random), ...after]));
        if (refusal === undefined || ledger.head().hash !== before)
          throw new Error(`byte ${at} of block ${number} was changed, and the block was imported`);
        refusals.push(refusal);
      }
      await offer([encoded]);
      if (ledger.head().hash !== block.hash) throw new Error(`block ${number} was not imported`);
    }
    return refusals;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function flipped(bytes: Uint8Array, at: number, random: () => number): Uint8Array {
  const damaged = Uint8Array.from(bytes);
  damaged[at] = (damaged[at] ?? 0) ^ (1 + Math.floor(random() * 255));
  return damaged;
}

/** @throws with an error that is not one of the import */
async function refusalOf(work: Promise<unknown>): Promise<Error | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof ChainImportError || error instanceof ChainFileError) return error;
    throw error;
  }
}
