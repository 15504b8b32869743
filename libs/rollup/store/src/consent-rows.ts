import { decodeWord, encodeWord, type ConsentTerms } from '@tetrad/rollup-crypto';
import { hexOf } from './json-record.js';

/** What opens a consent, as the column of a version holds it. */
interface WrittenTerms {
  readonly tokenId: number;
  readonly untilHeight: number;
  /** Decimal text. */
  readonly minimum: string;
  /** 32 bytes of hex. */
  readonly secret: string;
}

/** @returns as the column holds them */
export function writtenTerms({ tokenId, untilHeight, minimum, secret }: ConsentTerms): WrittenTerms {
  return { tokenId, untilHeight, minimum: String(minimum), secret: hexOf(encodeWord(secret)) };
}

/** @param written - what the column holds */
export function parseTerms(written: unknown): ConsentTerms | undefined {
  if (written === null || written === undefined) return undefined;
  const { tokenId, untilHeight, minimum, secret } = written as WrittenTerms;
  return { tokenId, untilHeight, minimum: BigInt(minimum), secret: decodeWord(Buffer.from(secret, 'hex')) };
}
