import { setTimeout } from 'node:timers/promises';
import { askNode, type NodeFault, type NodeState } from './ask-node.js';
import type { HandoverOptions } from './handover-options.js';
import { handoverVerdict, type AskedNode, type HandoverVerdict } from './handover-verdict.js';

/**
 * Asks all nodes, waits, asks all again, and checks.
 * @param say - a line for the operator
 */
export async function checkHandover(
  { urls, pauseMs, timeoutMs }: HandoverOptions,
  say: (line: string) => void,
): Promise<HandoverVerdict> {
  const round = () => Promise.all(urls.map((url) => askNode(url, timeoutMs)));
  const first = await round();
  urls.forEach((url, index) => say(`${nameOf(url)}  ${describe(first[index])}`));
  await setTimeout(pauseMs);
  const second = await round();
  const missing: NodeFault = { fault: 'was not asked' };
  return handoverVerdict(
    urls.map((url, index): AskedNode => ({
      name: nameOf(url),
      first: first[index] ?? missing,
      second: second[index] ?? missing,
    })),
  );
}

/** What `network handover` prints of a verdict. */
export function describeVerdict(verdict: HandoverVerdict): string {
  if (!verdict.safe) return ['not yet:', ...verdict.problems.map((problem) => `  ${problem}`)].join('\n');
  const { number, hash } = verdict;
  return `safe: all stand at block ${number} ${hash}; the new network goes on with block ${number + 1n}`;
}

function nameOf({ origin, pathname }: URL): string {
  return pathname === '/' ? origin : origin + pathname;
}

function describe(state: NodeState | NodeFault | undefined): string {
  if (state === undefined || 'fault' in state) return state?.fault ?? '';
  const { number, hash, pending, queued, peers } = state;
  return `block ${number} ${hash}, pool ${pending} + ${queued}, ${peers} peers`;
}
