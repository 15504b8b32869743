import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVM_ATTACKS, type EvmAttack } from '@tetrad/testkit';
import { AttackedNode } from './attacked-node.js';

/** What an attack must leave room for while it lasts, and how often it may try to prevent that. */
const ANSWERS = 3;
const RUNS = 50;
const WORKS = 'node_execution_thread_works_total';

let node: AttackedNode;
beforeAll(async () => {
  node = await AttackedNode.start(['--call-threads', '2', '--rpc-execution-timeout', '300']);
});
afterAll(() => node.stop());

/** Of the metric, what was counted with the label, or in all. */
async function counted(outcome: string): Promise<number> {
  const text = await (await fetch(`${node.home.opsUrl}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${WORKS}{`) && one.includes(`"${outcome}"`));
  return Number(line?.split(' ').at(-1) ?? 0);
}

describe('a node with threads for calls', () => {
  it.each(EVM_ATTACKS)(
    'keeps answering and making blocks when clients call: $name',
    async (attack: EvmAttack) => {
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
      expect(await counted('lost')).toBe(0);
    },
  );

  it('stops with its threads while they work', async () => {
    // It is they that had the attacks.
    expect(await counted('aborted')).toBeGreaterThan(0);
    const endless = Promise.allSettled([node.attackByCalls(EVM_ATTACKS[0] as EvmAttack)]);
    expect(await node.stop()).toBe(0);
    await endless;
  });
});
