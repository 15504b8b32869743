import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nodeStandardMethods } from '@tetrad/api-node';
import { until } from '@tetrad/testkit';
import { post, startNode, type RpcAnswer, type RunningNode } from '../../running-node.js';

/** Members of a batch of documented calls. */
const MEMBERS = 160;
/** Calls that may begin in one turn of the event loop. */
const BEGUN_A_TURN = 32;
/** Turns that an answer to another caller takes in this process. */
const TURNS_OF_AN_ANSWER = 4;

/** Methods that would stop the node or leave it with other peers. */
const EXCEPT = /^(?:miner|admin)_/;

const ACCOUNT = `0x${'f1'.repeat(20)}`;
const quantity = (value: number) => `0x${value.toString(16)}`;
const list = <T>(length: number, one: (index: number) => T) => Array.from({ length }, (_, at) => one(at));

type Batch = [method: string, kind: string, params: readonly unknown[], members: number];

const FEE_HISTORY: Batch = [
  'eth_feeHistory',
  'of all blocks',
  ['0x400', 'latest', list(100, (at) => at)],
  24,
];
/** Parameters that cost the most for their bytes. */
const WORST: Batch[] = [
  FEE_HISTORY,
  ['eth_getProof', 'of many slots', [ACCOUNT, list(40, quantity), 'latest'], 262],
  ['eth_simulateV1', 'of many blocks', [{ blockStateCalls: list(256, () => ({})) }, 'latest'], 8],
  ['eth_simulateV1', 'of many calls', [{ blockStateCalls: [{ calls: list(100, () => ({})) }] }], 16],
  ['eth_getLogs', 'of the chain', [{ fromBlock: '0x0', toBlock: 'latest' }], 1_000],
  ['eth_getBlockByNumber', 'with transactions', ['latest', true], 1_000],
  ['debug_traceCall', 'of steps', [{ data: '0x5b600160010150600056', gas: quantity(60_000) }, 'latest'], 32],
  ['eth_none', 'which does not exist', [], 1_000],
];

const EXAMPLES = Object.entries(nodeStandardMethods)
  .filter(([name]) => !EXCEPT.test(name))
  .map(([name, { examples }]): Batch => [name, 'as documented', examples[0]?.params ?? [], MEMBERS]);

function bodyOf([method, , params, members]: Batch): string {
  return JSON.stringify(list(members, (id) => ({ jsonrpc: '2.0', id, method, params })));
}

let node: RunningNode;
const height = async () => Number(await node.result('eth_blockNumber'));

beforeAll(async () => {
  node = await startNode([]);
  await until(async () => (await height()) >= 30);
});
afterAll(() => node.stop());

async function send(body: string, signal?: AbortSignal): Promise<RpcAnswer[]> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(node.url, { method: 'POST', headers, body, signal: signal ?? null });
  return (await response.json()) as RpcAnswer[];
}

/** Sends the body; counts turns of the event loop, and answers to another caller, until its answer is there. */
async function watch(body: string): Promise<{ answers: RpcAnswer[]; turns: number; answered: number }> {
  let [turns, answered, isDone] = [0, 0, false];
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  const call = async () => {
    while (!isDone) {
      await post(node.url, 'net_version', []);
      if (!isDone) answered += 1;
    }
  };
  const sent = send(body);
  setImmediate(count);
  const other = call();
  const answers = await sent;
  isDone = true;
  await other;
  return { answers, turns, answered };
}

describe('a batch of a stranger', () => {
  // The worst first, while the chain is short: some read all of it.
  it.each([...WORST, ...EXAMPLES])('of %s %s leaves others their turns', async (...batch) => {
    const members = batch[3];
    const { answers, turns, answered } = await watch(bodyOf(batch));
    expect(answers).toHaveLength(members);
    const least = Math.floor(members / BEGUN_A_TURN);
    expect(turns).toBeGreaterThanOrEqual(least);
    expect(answered).toBeGreaterThanOrEqual(Math.floor(least / TURNS_OF_AN_ANSWER));
  });

  it('does not keep a validator from making blocks', async () => {
    const leaving = new AbortController();
    let answered = 0;
    const attacks = list(4, () =>
      send(bodyOf(FEE_HISTORY), leaving.signal).then(
        () => (answered += 1),
        () => undefined,
      ),
    );
    const before = await height();
    await until(async () => (await height()) >= before + 3);
    expect(answered).toBeLessThan(4);
    leaving.abort();
    await Promise.all(attacks);
  });
});

describe('one call', () => {
  it.each([
    ['eth_feeHistory', ['0x400', 'latest', list(100, (at) => at)]],
    ['eth_getProof', [ACCOUNT, list(1_024, quantity), 'latest']],
  ])('of %s gives way between its pieces', async (method, params) => {
    const alone = await watch(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'net_version', params: [] }));
    const { turns } = await watch(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    expect(turns).toBeGreaterThan(alone.turns);
  });

  it('is refused for the number of its elements before one of them is read', async () => {
    const slots = Object.fromEntries(list(20_001, (at) => [`slot ${at}`, 7]));
    const call = await node.call('eth_call', [
      { to: ACCOUNT },
      'latest',
      { [ACCOUNT]: { stateDiff: slots } },
    ]);
    expect(call.error?.message).toContain('must set at most 20000 slots');
    const simulated = await node.call('eth_simulateV1', [
      { blockStateCalls: [{ calls: list(10_001, () => 7) }] },
    ]);
    expect(simulated.error?.message).toContain('at most 10000 calls');
    const proof = await node.call('eth_getProof', [ACCOUNT, list(1_025, () => 7), 'latest']);
    expect(proof.error).toMatchObject({ code: -32602, data: { field: 'slots' } });
    // Not a shape of any parameter: 100,001 values.
    const many = await node.call('eth_call', [{ to: ACCOUNT, accessList: list(100_001, () => 7) }, 'latest']);
    expect(many.error?.message).toContain('at most 100000 values');
  });

  it('of eth_simulateV1 is refused when its calls cannot have the gas of a transfer each', async () => {
    const calls = list(2_400, () => ({ to: ACCOUNT }));
    const { error } = await node.call('eth_simulateV1', [{ blockStateCalls: [{ calls }] }]);
    expect(error?.message).toBe('the calls take more than 50000000 gas');
  });
});
