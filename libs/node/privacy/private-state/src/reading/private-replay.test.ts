import { expect, it } from '@jest/globals';
import type { Block } from '@tetrad/types';
import { PrivateReplay } from './private-replay.js';

it('is refused by name for a block at whose end a contract was repaired', async () => {
  const parts = {
    view: { demand: async () => undefined },
    repairs: { has: async (block: number) => block === 7 },
  } as unknown as Parameters<typeof PrivateReplay.open>[0];
  const block = { header: { number: 7 } } as unknown as Block;
  const at = {} as unknown as Parameters<typeof PrivateReplay.open>[2];
  await expect(PrivateReplay.open(parts, block, at)).rejects.toMatchObject({
    code: 'PRIVATE_STATE_REPAIRED',
    message: expect.stringContaining('at the end of block 7'),
  });
});
