import { describe, expect, it } from '@jest/globals';
import type { HeightContext } from '@tetrad/node-consensus-bft';
import { ZERO_ADDRESS, ZERO_HASH, parseAddress, silentLogger, type Logger } from '@tetrad/types';
import { SealingLog } from './sealing-log.js';

const own = parseAddress(`0x${'01'.repeat(20)}`);
const other = parseAddress(`0x${'02'.repeat(20)}`);

/** Lines logged over the heights; each is given as its number, the author of the block before, and the validators. */
function linesOf(...heights: [number, string, readonly string[]][]): string[] {
  const lines: string[] = [];
  const write = (message: string) => void lines.push(message);
  const logger: Logger = { ...silentLogger, info: write, warn: write };
  const log = new SealingLog(own, logger);
  for (const [height, lastAuthor, validators] of heights) {
    const known = { height, lastAuthor, validators, parentHash: ZERO_HASH } as Partial<HeightContext>;
    log.began(known as HeightContext);
  }
  return lines;
}

describe('the sealing log', () => {
  it('has each block of this node, and none of other validators or from before its start', () => {
    const both = [own, other];
    expect(linesOf([5, own, both], [6, own, both], [7, other, both], [8, own, both])).toEqual([
      'this node is a validator',
      'Successfully sealed new block',
      'Successfully sealed new block',
    ]);
  });

  it('warns once that sealing is not authorized, at the start and when the node is voted out', () => {
    expect(
      linesOf(
        [1, ZERO_ADDRESS, [other]],
        [2, other, [other]],
        [3, other, [own, other]],
        [4, own, [other]],
        [5, other, [other]],
      ),
    ).toEqual([
      'Block sealing failed',
      'this node is a validator',
      'Successfully sealed new block',
      'Block sealing failed',
    ]);
  });
});
