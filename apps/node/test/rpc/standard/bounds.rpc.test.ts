import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { reasonOf, startNode, type RpcAnswer, type RunningNode } from '../../running-node.js';

const LIMIT = 1_000_000;
const CODE_AT = `0x${'c0'.repeat(20)}`;
const SENDER = `0x${'5a'.repeat(20)}`;
/** PUSH3 4,700,000, PUSH0, RETURN. */
const RETURNS_MEGABYTES = '0x6247b7605ff3';
/** JUMPDEST, PUSH0, JUMP. */
const LOOPS = '0x5b5f56';
/** Calls BLAKE2F with the memory from 0: MSTORE of 4,000,000,000 rounds, then STATICCALL and what it returns. */
const BLAKE2F = '0x63ee6b28005f5260405f60d5601c60095afa60405ff3';

let node: RunningNode;
beforeAll(async () => {
  node = await startNode([
    '--rpc-max-answer-bytes',
    String(LIMIT),
    '--rpc-max-batch-answer-bytes',
    '25000000',
    '--rpc-execution-timeout',
    '6s',
    '--rpc-estimate-gas-cap',
    '100000',
    '--rpc-gas-cap',
    '9000000000',
    '--rpc-max-filters',
    '20',
    '--rpc-max-filters-per-caller',
    '12',
    '--rpc-max-trace-blocks',
    '5',
  ]);
});
afterAll(() => node.stop());

async function batch(calls: readonly object[]): Promise<{ bytes: number; answers: RpcAnswer[] }> {
  const response = await fetch(node.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls),
  });
  const text = await response.text();
  return { bytes: text.length, answers: JSON.parse(text) as RpcAnswer[] };
}

const request = (id: number, method: string, ...params: unknown[]) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const callOf = (code: string) => [{ to: CODE_AT }, 'latest', { [CODE_AT]: { code } }];

describe('answers', () => {
  it('over the limit are refused by name: 700 calls of 4.7 MB each in a batch do not harm the node', async () => {
    const calls = Array.from({ length: 700 }, (_, id) =>
      request(id, 'eth_call', ...callOf(RETURNS_MEGABYTES)),
    );
    expect(JSON.stringify(calls).length).toBeLessThan(200_000);
    const { bytes, answers } = await batch(calls);
    expect(answers).toHaveLength(700);
    expect(bytes).toBeLessThan(LIMIT);
    for (const { error } of answers) expect(error?.code).toBeLessThan(0);
    expect(answers[0]).toMatchObject({
      error: { code: -32003, message: 'response too large', data: { reason: 'RESPONSE_TOO_LARGE' } },
    });
    expect(await node.result('eth_chainId')).toBe('0x539');
  });

  it('within the limit of one, but not of a batch together, are returned as far as they fit', async () => {
    // PUSH3 400,000, PUSH0, RETURN: 800 kB each.
    const calls = Array.from({ length: 200 }, (_, id) =>
      request(id, 'eth_call', ...callOf('0x62061a805ff3')),
    );
    const { bytes, answers } = await batch(calls);
    const given = answers.filter(({ result }) => result !== undefined);
    expect(given).toHaveLength(31);
    expect(bytes).toBeLessThan(25_100_000);
    expect(new Set(answers.map(reasonOf))).toEqual(new Set([undefined, 'RESPONSE_TOO_LARGE']));
  });

  it('that grow with the pool are refused by name, while the pool is still counted', async () => {
    const [sender] = node.accounts;
    const data = `0x${'00'.repeat(100_000)}`;
    for (let nonce = 0; nonce < 6; nonce++) {
      // Behind a gap, so that they stay.
      const transaction = {
        from: sender,
        to: CODE_AT,
        gas: '0x7a1200',
        data,
        nonce: `0x${(nonce + 500).toString(16)}`,
      };
      expect((await node.call('eth_sendTransaction', [transaction])).error).toBeUndefined();
    }
    expect(reasonOf(await node.call('txpool_content'))).toBe('RESPONSE_TOO_LARGE');
    expect(reasonOf(await node.call('txpool_contentFrom', [sender]))).toBe('RESPONSE_TOO_LARGE');
    expect(await node.result('txpool_status')).toMatchObject({ queued: '0x6' });
    expect((await node.call('txpool_inspect')).error).toBeUndefined();
  });
});

describe('the trace of a transaction', () => {
  let hash: string;
  beforeAll(async () => {
    const [from] = node.accounts;
    // CODECOPY of what follows: MSTORE far out, and then a thousand cheap steps, each of which shows the memory.
    const code = `5f620186a052${'5f50'.repeat(1_000)}00`;
    const data = `0x${code}`;
    hash = await node.result<string>('eth_sendTransaction', [{ from, gas: '0x7a1200', data }]);
    await node.mined(hash);
  });

  it('with the memory of each step is refused by name before it is held', async () => {
    const full = await node.call('debug_traceTransaction', [hash, { enableMemory: true }]);
    expect(full.error).toMatchObject({ code: -32003, data: { reason: 'RESPONSE_TOO_LARGE', limit: LIMIT } });
    const plain = await node.result<{ structLogs: unknown[] }>('debug_traceTransaction', [hash]);
    expect(plain.structLogs.length).toBeGreaterThan(2_000);
    const first = { enableMemory: true, limit: 3 };
    const cut = await node.result<{ structLogs: unknown[] }>('debug_traceTransaction', [hash, first]);
    expect(cut.structLogs).toHaveLength(3);
  });

  it('by calls counts the input of every call', async () => {
    const [from] = node.accounts;
    // PUSH0 × 3, PUSH3 100,000, PUSH0 × 2, PUSH1 4, GAS, CALL, POP: copies of 100 kB to the identity precompile.
    const data = `0x${'5f5f620186a05f5f60045af150'.repeat(20)}00`;
    const made = await node.result<string>('eth_sendTransaction', [{ from, gas: '0x7a1200', data }]);
    expect((await node.mined(made)).status).toBe('0x1');
    const calls = await node.call('debug_traceTransaction', [made, { tracer: 'callTracer' }]);
    expect(reasonOf(calls)).toBe('RESPONSE_TOO_LARGE');
    const top = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } };
    expect(await node.result('debug_traceTransaction', [made, top])).toMatchObject({ type: 'CREATE' });
  });
});

describe('flat traces', () => {
  it('over the limit of an answer are refused by name', async () => {
    const [from] = node.accounts;
    // PUSH0 × 5, PUSH1 0xff, GAS, CALL, POP: 4,500 calls of an account without code.
    const data = `0x${'5f5f5f5f5f60ff5af150'.repeat(4_500)}00`;
    const hash = await node.result<string>('eth_sendTransaction', [{ from, gas: '0x7a1200', data }]);
    const { blockNumber, status } = await node.mined(hash);
    expect(status).toBe('0x1');
    const asked = [
      await node.call('trace_transaction', [hash]),
      await node.call('trace_block', [blockNumber]),
      await node.call('trace_replayBlockTransactions', [blockNumber, ['trace']]),
      await node.call('trace_filter', [{ fromBlock: blockNumber, toBlock: blockNumber }]),
    ];
    expect(asked.map(reasonOf)).toEqual(asked.map(() => 'RESPONSE_TOO_LARGE'));
  });

  it('of more blocks than the limit are refused by name', async () => {
    await until(async () => Number(await node.result('eth_blockNumber')) >= 7);
    expect(reasonOf(await node.call('trace_filter', [{}]))).toBe('TRACE_LIMIT_EXCEEDED');
    const range = (toBlock: string) => [{ fromBlock: '0x1', toBlock }];
    expect(reasonOf(await node.call('trace_filter', range('0x6')))).toBe('TRACE_LIMIT_EXCEEDED');
    expect(reasonOf(await node.call('trace_filter', range('0x5')))).not.toBe('TRACE_LIMIT_EXCEEDED');
  });
});

describe('executions', () => {
  it('end at their time limit, while short ones are answered', async () => {
    const ended: string[] = [];
    const long = [LOOPS, BLAKE2F, LOOPS, BLAKE2F, LOOPS, LOOPS, BLAKE2F, LOOPS].map(async (code) => {
      const answer = await node.call('eth_call', callOf(code));
      ended.push('long');
      return answer;
    });
    const short = Array.from({ length: 5 }, async () => {
      const answer = await node.call('eth_call', callOf('0x602a5f5260205ff3'));
      ended.push('short');
      return answer.result;
    });
    expect(new Set(await Promise.all(short))).toEqual(new Set([`0x${'2a'.padStart(64, '0')}`]));
    expect(ended).not.toContain('long');
    const answers = await Promise.all(long);
    expect(answers.map(reasonOf)).toEqual(answers.map(() => 'EXECUTION_TIMEOUT'));
    expect(answers[0]?.error?.message).toBe('execution aborted (timeout)');
    expect(await node.result('eth_call', callOf('0x602a5f5260205ff3'))).toBe(`0x${'2a'.padStart(64, '0')}`);
  });

  it('have gas caps: one of calls and one of estimates', async () => {
    const estimate = await node.call('eth_estimateGas', callOf(LOOPS));
    expect(estimate.error?.message).toBe('gas required exceeds allowance (100000)');
    // GAS, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN.
    const gas = await node.result<string>('eth_call', callOf('0x5a5f5260205ff3'));
    expect(BigInt(gas)).toBeGreaterThan(8_999_000_000n);
    expect(BigInt(gas)).toBeLessThan(9_000_000_000n);
  });

  it('take state overrides of bounded size', async () => {
    const large = `0x${'5b'.repeat(262_145)}`;
    const { error } = await node.call('eth_call', callOf(large));
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('at most 262144 bytes') });
    expect(error?.message).toContain(`${CODE_AT}.code`);
    const slots = Array.from({ length: 20_001 }, (_, slot) => [`0x${slot.toString(16)}`, '0x1']);
    const state = { [CODE_AT]: { stateDiff: Object.fromEntries(slots) as unknown } };
    expect((await node.call('eth_call', [{ to: CODE_AT }, 'latest', state])).error?.code).toBe(-32602);
    const many = Array.from({ length: 1_001 }, (_, index) => [
      `0x${index.toString(16).padStart(40, '0')}`,
      {},
    ]);
    expect(
      (await node.call('eth_call', [{ to: CODE_AT }, 'latest', Object.fromEntries(many)])).error?.code,
    ).toBe(-32602);
  });
});

describe('a number beyond the range of its field', () => {
  const nonce = (value: bigint) => `0x${value.toString(16)}`;
  const transaction = (members: object) => ({ from: SENDER, to: CODE_AT, ...members });

  it.each([
    ['eth_call', [transaction({ nonce: nonce(2n ** 64n - 1n) })], 'transaction.nonce'],
    ['eth_estimateGas', [transaction({ nonce: nonce(2n ** 64n) })], 'transaction.nonce'],
    ['eth_createAccessList', [transaction({ nonce: nonce(2n ** 256n - 1n) })], 'transaction.nonce'],
    ['eth_call', [transaction({ gas: nonce(2n ** 64n) })], 'transaction.gas'],
    [
      'eth_call',
      [transaction({}), 'latest', { [SENDER]: { nonce: nonce(2n ** 64n - 1n) } }],
      `${SENDER}.nonce`,
    ],
    ['eth_sendTransaction', [transaction({ nonce: nonce(2n ** 64n - 1n) })], 'transaction.nonce'],
    ['eth_sendTransaction', [transaction({ gas: nonce(2n ** 64n) })], 'transaction.gas'],
    ['eth_signTransaction', [transaction({ nonce: nonce(2n ** 64n - 1n) })], 'transaction.nonce'],
    ['eth_fillTransaction', [transaction({ nonce: nonce(2n ** 64n - 1n) })], '.nonce'],
    ['eth_sendTransactionAsync', [transaction({ nonce: nonce(2n ** 64n - 1n) })], '.nonce'],
    ['eth_getBlockByNumber', [nonce(2n ** 64n), false], ''],
    ['eth_feeHistory', [nonce(2n ** 64n), 'latest', []], 'blockCount'],
  ])('is refused by %s with the name of the field', async (method, params, field) => {
    const { error } = await node.call(method, params);
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(field) });
  });

  it.each([
    ['the highest nonce', { nonce: nonce(2n ** 64n - 2n) }, {}],
    ['the highest price', { gasPrice: nonce(2n ** 256n - 1n) }, {}],
    ['the highest fees', { maxFeePerGas: nonce(2n ** 256n - 1n), maxPriorityFeePerGas: '0x0' }, {}],
    [
      'the highest value',
      { value: nonce(2n ** 256n - 1n) },
      { [SENDER]: { balance: nonce(2n ** 256n - 1n) } },
    ],
    [
      'a balance that overflows',
      { value: '0x1' },
      {
        [SENDER]: { balance: '0x1' },
        [CODE_AT]: { balance: nonce(2n ** 256n - 1n) },
      },
    ],
    [
      'a creator at the highest nonce',
      { to: undefined, data: '0x00' },
      { [SENDER]: { nonce: nonce(2n ** 64n - 2n) } },
    ],
  ])('is accepted just within the bound: %s', async (_what, members, overrides) => {
    for (const method of ['eth_call', 'eth_estimateGas']) {
      const { error } = await node.call(method, [transaction(members), 'latest', overrides]);
      expect(error?.code).not.toBe(-32603);
    }
    for (const method of ['eth_sendTransaction', 'eth_signTransaction', 'eth_fillTransaction']) {
      const [from] = node.accounts;
      const own = { gas: '0x5208', nonce: '0xffff', ...transaction(members), from };
      expect((await node.call(method, [own])).error?.code).not.toBe(-32603);
    }
  });
});

describe('filters', () => {
  it('hold a bounded number of addresses and topics each, and all together', async () => {
    const address = Array.from({ length: 1_001 }, (_, index) => `0x${index.toString(16).padStart(40, '0')}`);
    const { error } = await node.call('eth_newFilter', [{ address }]);
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('at most 1000 addresses') });
    const topics = [Array.from({ length: 1_001 }, (_, index) => `0x${index.toString(16).padStart(64, '0')}`)];
    expect((await node.call('eth_getLogs', [{ topics }])).error?.code).toBe(-32602);
    expect((await node.call('eth_newFilter', [{ address: address.slice(1) }])).error).toBeUndefined();
  });

  it('return to each client the blocks and transactions since its last poll', async () => {
    const [from] = node.accounts;
    const blocks = await node.result<string>('eth_newBlockFilter');
    const pending = await node.result<string>('eth_newPendingTransactionFilter');
    const hash = await node.result<string>('eth_sendTransaction', [{ from, to: CODE_AT, gas: '0x5208' }]);
    const { blockHash } = await node.mined(hash);
    expect(await node.result('eth_getFilterChanges', [pending])).toEqual([hash]);
    expect(await node.result('eth_getFilterChanges', [pending])).toEqual([]);
    expect(await node.result('eth_getFilterChanges', [blocks])).toContain(blockHash);
    expect(await node.result('eth_getFilterChanges', [blocks])).not.toContain(blockHash);
  });

  it('are refused by name beyond their number', async () => {
    const made: RpcAnswer[] = [];
    for (let count = 0; count < 13; count++) made.push(await node.call('eth_newBlockFilter'));
    expect(made.at(-1)?.error?.message).toBe('too many filters of one caller');
    const { answers } = await batch([request(1, 'eth_newBlockFilter')]);
    expect(reasonOf(answers[0] as RpcAnswer)).toBe('TOO_MANY_FILTERS');
  });
});
