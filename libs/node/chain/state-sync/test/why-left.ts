import { expect } from '@jest/globals';
import { shortNodeId } from '@tetrad/node-peer';
import type { CollectedLog } from '../../peer/test/collected-log.js';
import { eventually } from '../../peer/test/eventually.js';
import type { FakeNode } from '../../peer/test/fake-node.js';
import type { Joining } from './joining-chain.js';

/**
 * Why a node that joins took no more from a peer, once or again: one reason a line.
 *
 * @param lines - of its log
 */
export function whyLeft(lines: CollectedLog['lines'], { nodeId }: Pick<FakeNode, 'nodeId'>): string {
  const reasons = lines
    .filter(({ values }) => values['peer'] === shortNodeId(nodeId) && values['why'] !== undefined)
    .map(({ values }) => String(values['why']));
  return [...new Set(reasons)].join('\n');
}

/** Shows that the log warns of the attacker, with the reason, and of no honest peer, and who is connected still. */
export async function assertCutOff(
  { log, node }: Joining,
  { attacker, honest, reason }: { attacker: FakeNode; honest: FakeNode; reason: string },
): Promise<void> {
  const warnings = log.lines.filter(({ level }) => level === 'warn');
  expect(whyLeft(warnings, attacker)).toContain(reason);
  expect(whyLeft(warnings, honest)).toBe('');
  await eventually(() => !node.peerIds.includes(attacker.nodeId), 'the end of the connection');
  expect(node.peerIds).toContain(honest.nodeId);
}
