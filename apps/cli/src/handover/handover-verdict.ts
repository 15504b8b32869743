import type { NodeFault, NodeState } from './ask-node.js';

/** What a node answered in the two rounds. */
export interface AskedNode {
  /** Without credentials. */
  readonly name: string;
  readonly first: NodeState | NodeFault;
  readonly second: NodeState | NodeFault;
}

/** Whether the old network stands still. */
export type HandoverVerdict =
  | { readonly safe: true; readonly number: bigint; readonly hash: string }
  | { readonly safe: false; readonly problems: readonly string[] };

/**
 * Checks the answers. Safe is what every node said both times: the same chain, the same block, an empty pool. A node that
 * lies alone is named, with the block that most others have.
 */
export function handoverVerdict(nodes: readonly AskedNode[]): HandoverVerdict {
  const problems: string[] = [];
  const answered: Answered[] = [];
  for (const { name, first, second } of nodes) {
    const fault = [first, second].find((state) => 'fault' in state);
    if (fault !== undefined) problems.push(`${name}: ${fault.fault}`);
    if ('fault' in first || 'fault' in second) continue;
    answered.push({ name, state: second });
    problems.push(...movesOf(first, second).map((problem) => `${name}: ${problem}`));
    problems.push(...ownProblems(second, nodes.length - 1).map((problem) => `${name}: ${problem}`));
  }
  problems.push(...differences(answered));
  const head = answered[0]?.state;
  if (problems.length > 0 || head === undefined) return { safe: false, problems };
  return { safe: true, number: head.number, hash: head.hash };
}

interface Answered {
  readonly name: string;
  readonly state: NodeState;
}

function movesOf(first: NodeState, second: NodeState): string[] {
  if (second.number < first.number) return [`went back from block ${first.number} to ${second.number}`];
  if (second.number > first.number)
    return [`went on from block ${first.number} to ${second.number}: blocks are still made`];
  if (first.hash !== second.hash)
    return [`changed block ${first.number} from ${first.hash} to ${second.hash}`];
  const [before, after] = [first.pending + first.queued, second.pending + second.queued];
  return before > 0n && after === 0n ? [`had ${before} transactions in its pool until now: ask again`] : [];
}

/** @param others - nodes that were asked besides this one */
function ownProblems({ pending, queued, isSyncing, peers }: NodeState, others: number): string[] {
  return [
    ...(peers <= BigInt(others)
      ? []
      : [`has ${peers} peers, and ${others} others were asked: name all nodes of the network`]),
    ...(pending === 0n ? [] : [`${pending} transactions are pending; they would be lost`]),
    ...(queued === 0n ? [] : [`${queued} transactions wait behind a nonce gap; they would be lost`]),
    ...(isSyncing ? ['is synchronizing'] : []),
  ];
}

/** How nodes differ from what most of them say. */
function differences(answered: readonly Answered[]): string[] {
  const chainId = mostCommon(answered.map(({ state }) => state.chainId.toString()));
  const head = mostCommon(answered.map(({ state }) => headOf(state)));
  const number = answered.find(({ state }) => headOf(state) === head)?.state.number ?? 0n;
  return answered.flatMap(({ name, state }) => {
    if (state.chainId.toString() !== chainId)
      return [`${name}: is of chain ${state.chainId}, most nodes of chain ${chainId}`];
    if (headOf(state) === head) return [];
    if (state.number === number)
      return [`${name}: has another block ${number} than most nodes: ${state.hash}; they have ${head}`];
    const [far, where] =
      state.number < number ? [number - state.number, 'behind'] : [state.number - number, 'ahead of'];
    return [`${name}: is at block ${state.number}, ${far} ${where} most nodes`];
  });
}

function headOf({ number, hash }: NodeState): string {
  return `${number} ${hash}`;
}

/** The text that occurs most; the first of several. */
function mostCommon(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, left], [, right]) => right - left)[0]?.[0];
}
