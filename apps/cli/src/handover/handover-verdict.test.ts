import { describe, expect, it } from '@jest/globals';
import type { NodeFault, NodeState } from './ask-node.js';
import { parseHandoverOptions } from './handover-options.js';
import { describeVerdict } from './handover.js';
import { handoverVerdict, type HandoverVerdict } from './handover-verdict.js';

const HASH = `0x${'aa'.repeat(32)}`;
const OTHER = `0x${'bb'.repeat(32)}`;

const state = (more: Partial<NodeState> = {}): NodeState => ({
  chainId: 1337n,
  number: 100n,
  hash: HASH,
  pending: 0n,
  queued: 0n,
  peers: 3n,
  isSyncing: false,
  ...more,
});

/** The lines of a verdict, without its first words. */
function linesOf(verdict: HandoverVerdict): string[] {
  const [first = '', ...problems] = describeVerdict(verdict).split('\n');
  return verdict.safe ? [first] : problems.map((problem) => problem.trim());
}

/** The verdict on four nodes of which the last one answers otherwise. */
function check(first: NodeState | NodeFault, second: NodeState | NodeFault = first) {
  const good = ['a', 'b', 'c'].map((name) => ({ name, first: state(), second: state() }));
  return linesOf(handoverVerdict([...good, { name: 'd', first, second }]));
}

describe('the old network', () => {
  it('stands still when all nodes say the same twice', () => {
    expect(check(state())).toEqual([
      `safe: all stand at block 100 ${HASH}; the new network goes on with block 101`,
    ]);
  });

  const cases: [string, NodeState | NodeFault, (NodeState | NodeFault)?][] = [
    ['d: eth_chainId: no answer within 5 ms', { fault: 'eth_chainId: no answer within 5 ms' }],
    ['d: net_peerCount: refused', state(), { fault: 'net_peerCount: refused' }],
    ['d: went on from block 99 to 100: blocks are still made', state({ number: 99n }), state()],
    ['d: went back from block 101 to 100', state({ number: 101n }), state()],
    [`d: changed block 100 from ${OTHER} to ${HASH}`, state({ hash: OTHER }), state()],
    [`d: has another block 100 than most nodes: ${OTHER}`, state({ hash: OTHER })],
    ['d: is at block 98, 2 behind most nodes', state({ number: 98n, hash: OTHER })],
    ['d: is at block 107, 7 ahead of most nodes', state({ number: 107n, hash: OTHER })],
    ['d: is of chain 5, most nodes of chain 1337', state({ chainId: 5n })],
    ['d: 3 transactions are pending', state({ pending: 3n })],
    ['d: 2 transactions wait behind a nonce gap', state({ queued: 2n })],
    ['d: had 1 transactions in its pool until now', state({ pending: 1n }), state()],
    ['d: is synchronizing', state({ isSyncing: true })],
    ['d: has 4 peers, and 3 others were asked', state({ peers: 4n })],
  ];
  // By name only: the runner cannot show numbers of this kind.
  it.each(cases.map(([problem]) => problem))('does not: %s', (problem) => {
    const [, first, second] = cases.find(([name]) => name === problem) ?? ['', state()];
    expect(check(first, second)).toEqual([expect.stringContaining(problem)]);
  });

  it('is not checked without an answer', () => {
    const fault = { fault: 'refused' };
    expect(linesOf(handoverVerdict([{ name: 'a', first: fault, second: fault }]))).toEqual(['a: refused']);
    expect(handoverVerdict([]).safe).toBe(false);
  });
});

describe('the options of network handover', () => {
  it('are the nodes, and times', () => {
    const { urls, pauseMs, timeoutMs } = parseHandoverOptions(['--check', 'http://a:1', 'https://b/x']);
    expect(urls.map(({ href }) => href)).toEqual(['http://a:1/', 'https://b/x']);
    expect([pauseMs, timeoutMs]).toEqual([15_000, 5_000]);
  });

  it.each([
    [['http://a'], 'needs --check'],
    [['--check'], 'needs the URLs'],
    [['--check', 'ws://a'], 'ws://a is not an http or https URL'],
    [['--check', 'http://a', 'http://a/'], 'duplicate URL http://a/'],
    [['--check', 'http://a', '--pause', '0'], '--pause: 0 is not'],
    [
      ['--check', ...Array.from({ length: 201 }, (_, index) => `http://a:${index + 1}`)],
      'more than 200 URLs',
    ],
  ])('%# are refused', (args, message) => {
    expect(() => parseHandoverOptions(args)).toThrow(message);
  });
});
