import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVM_ATTACKS, type DevelopmentAccount } from '@tetrad/testkit';
import { AttackedNode, OWNERS } from './attacked-node.js';

/** What an attack must leave room for while it lasts, and how often it may try to prevent that. */
const ANSWERS = 3;
const RUNS = 20;

let node: AttackedNode;
beforeAll(async () => {
  node = await AttackedNode.start(['--rpc-execution-timeout', '400']);
});
afterAll(() => node.stop());

describe('contracts that run as long as possible', () => {
  it.each(EVM_ATTACKS)('hold up neither calls nor blocks when clients call them: $name', async (attack) => {
    const seen = { answers: 0, blocks: 0 };
    for (let run = 0; run < RUNS && (seen.answers < ANSWERS || seen.blocks < 1); run++) {
      const attacks = node.attackByCalls(attack);
      const { answers, blocks } = await node.meanwhile(attacks);
      seen.answers += answers;
      seen.blocks += blocks;
      for (const { error } of await attacks) expect([-32000, -32003]).toContain(error?.code);
    }
    expect(seen.answers).toBeGreaterThanOrEqual(ANSWERS);
    expect(seen.blocks).toBeGreaterThanOrEqual(1);
  });

  it('do not stop block production when they are mined, nor block calls meanwhile', async () => {
    const [, owner] = OWNERS as [DevelopmentAccount, DevelopmentAccount];
    const targets = [...node.contracts].map(([{ data }, to]) => ({ to, data }));
    const mined = node.send(owner, 0, targets).then((hashes) => node.receiptsOf(hashes));
    const { answers, blocks } = await node.meanwhile(mined);
    const receipts = await mined;
    expect(receipts.map(({ status }) => status)).toEqual(receipts.map(() => '0x0'));
    expect(new Set(receipts.map(({ blockNumber }) => blockNumber)).size).toBeGreaterThan(1);
    expect(answers).toBeGreaterThanOrEqual(ANSWERS);
    expect(blocks).toBeGreaterThanOrEqual(1);
  });
});
