import { describe, expect, it } from '@jest/globals';
import type { Anvil } from '../../anvil.js';
import { reasonOf, startNode, type RunningNode } from '../../running-node.js';
import { LOOPS, initCodeOf } from './trace-contracts.js';
import { TRACED, useTracedChain, type TracedChain } from './traced-chain.js';

interface VmTrace {
  readonly code: string;
  readonly ops: readonly {
    readonly cost: number;
    readonly ex: { readonly used: number; readonly push: readonly string[]; readonly mem: unknown } | null;
    readonly pc: number;
    readonly sub: VmTrace | null;
    readonly op: string;
    readonly idx: string;
  }[];
}

interface Replayed {
  readonly vmTrace: VmTrace;
  readonly transactionHash: string;
}

let chain: TracedChain;
let node: RunningNode;
let anvil: Anvil;
let check: TracedChain['check'];
useTracedChain((started) => {
  chain = started;
  ({ node, anvil, check } = started);
});

/** Opcodes that send messages, of which the other client does not say what they left on the stack. */
const SENDS = /^(?:CALL|CALLCODE|DELEGATECALL|STATICCALL|CREATE2?)$/;

/** Each opcode but the last of a call in a line: what it cost, what gas it left, and what it left on the stack. */
function stepsOf(
  { ops }: VmTrace,
  leftBy: (ops: VmTrace['ops'], index: number) => number | undefined,
): string {
  const lines = ops.map(({ pc, op, cost, ex }, index) => {
    if (index === ops.length - 1) return `${pc} ${op}`;
    const pushed = SENDS.test(op) ? '' : ex?.push.join();
    return `${pc} ${op} ${cost} ${leftBy(ops, index)} ${pushed}`;
  });
  return lines.join('\n');
}
const stepsOfOurs = (trace: VmTrace) => stepsOf(trace, (ops, index) => ops[index]?.ex?.used);
/** The other client gives the gas before each opcode in place of that after it. */
const stepsOfTheirs = (trace: VmTrace) => stepsOf(trace, (ops, index) => ops[index + 1]?.ex?.used);

/**
 * What was executed call by call, in any order, as the other client gives calls of precompiles the opcodes of others. Calls without opcodes
 * are left out, and those of the STOP that the other client finds where there is no code.
 */
function framesOf(top: VmTrace, steps: (trace: VmTrace) => string): string[] {
  const rest = [top];
  const frames: string[] = [];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    frames.push(steps(next));
    rest.push(...next.ops.flatMap(({ sub }) => sub ?? []));
  }
  return frames.filter((text) => text !== '' && text !== '0 STOP').sort();
}

describe('opcodes of a transaction', () => {
  const opcodesOf = async (name: string) => {
    const { hash } = chain.pair(name).ours;
    return (await check<{ vmTrace: VmTrace }>('trace_replayTransaction', hash, ['vmTrace'])).vmTrace;
  };

  it.each(TRACED)('are those of another client: %s', async (name) => {
    const { ours, theirs } = chain.pair(name);
    const [other] = await anvil.result<{ vmTrace: VmTrace }[]>('trace_replayBlockTransactions', [
      theirs.blockNumber,
      ['vmTrace'],
    ]);
    const mine = await opcodesOf(name);
    const steps = framesOf(mine, stepsOfOurs);
    expect(steps).toEqual(framesOf(other?.vmTrace as VmTrace, stepsOfTheirs));
    expect(steps.length).toBeGreaterThan(0);
    const block = await node.result<Replayed[]>('trace_replayBlockTransactions', [
      ours.blockNumber,
      ['vmTrace'],
    ]);
    const own = block.find(({ transactionHash }) => transactionHash === ours.hash);
    expect(own).toMatchObject({ vmTrace: mine });
  });

  it('say what each wrote, and where in the tree of calls it is', async () => {
    const { ops } = await opcodesOf('storing');
    const stored = ops.find(({ op }) => op === 'SSTORE');
    expect(stored?.ex).toMatchObject({ mem: null, push: [], store: { key: '0x1', val: '0x7' } });
    const calls = await opcodesOf('calls');
    expect(calls.code).toBe(await node.result('eth_getCode', [chain.contract('caller'), 'latest']));
    const first = calls.ops.find(({ sub }) => sub !== null);
    const written = first?.sub?.ops.find(({ op }) => op === 'MSTORE');
    expect(written?.ex?.mem).toEqual({ off: 0, data: `0x${'2a'.padStart(64, '0')}` });
    expect(written?.idx).toBe(`${first?.idx}-${first?.sub?.ops.findIndex(({ op }) => op === 'MSTORE')}`);
    expect(first?.ex?.push).toEqual(['0x1']);
    const creation = await opcodesOf('failed creation');
    expect(creation.ops.at(-1)).toMatchObject({ op: 'REVERT', ex: { push: [] } });
  });

  it('have no effect where they failed, and belong to calls as the tree of calls has them', async () => {
    const { hash } = chain.pair('calls').ours;
    const tree = await check<{ depth: number; type: string }[]>('ots_traceTransaction', hash);
    const { ops } = await opcodesOf('calls');
    const subs = ops.flatMap(({ sub }) => (sub === null ? [] : [sub]));
    expect(subs).toHaveLength(tree.filter(({ depth }) => depth === 1).length);
    const ends = subs.map((sub) => sub.ops.at(-1));
    expect(ends.filter((last) => last?.ex === null).map((last) => last?.op)).toEqual(
      expect.arrayContaining(['INVALID', 'JUMP']),
    );
  });

  it('are no more than fit into an answer', async () => {
    const few = await startNode(['--rpc-max-answer-bytes', '20000']);
    try {
      const request = { from: few.accounts[0], data: initCodeOf(LOOPS), gas: '0x7a120' };
      const looping = await few.result<string>('eth_sendTransaction', [request]);
      const { contractAddress: to } = await few.mined(looping);
      const hash = await few.result<string>('eth_sendTransaction', [{ ...request, data: undefined, to }]);
      await few.mined(hash);
      const answer = await few.call('trace_replayTransaction', [hash, ['vmTrace']]);
      expect(reasonOf(answer)).toBe('RESPONSE_TOO_LARGE');
    } finally {
      await few.stop();
    }
  });
});
