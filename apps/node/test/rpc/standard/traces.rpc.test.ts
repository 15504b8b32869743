import { keccakHash } from '@tetrad/crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { reasonOf, type RunningNode } from '../../running-node.js';
import { MISSING, useStandardChain, type StandardChain } from '../../standard-chain.js';
import { startAnvil, type Anvil } from '../../anvil.js';

type Traced = Readonly<Record<string, { balance?: string; nonce?: number; code?: string; storage?: object }>>;

let chain: StandardChain;
let node: RunningNode;
let check: StandardChain['check'];
useStandardChain((started) => {
  chain = started;
  ({ node, check } = started);
});

const transferOf = (value: bigint) => ({
  from: chain.owner,
  to: chain.token,
  data: chain.abi.encodeFunctionData('transfer', [chain.holder, value]),
});

describe('tracers of GoQuorum', () => {
  it('count opcodes, alone and in sequences', async () => {
    const trace = (tracer: string) =>
      check<Record<string, number>>('debug_traceCall', { data: '0x60016001016001600101' }, 'latest', {
        tracer,
      });
    expect(await trace('opcountTracer')).toBe(7);
    expect(await trace('unigramTracer')).toEqual({ PUSH1: 4, ADD: 2, STOP: 1 });
    expect(await trace('bigramTracer')).toMatchObject({ 'PUSH1-PUSH1': 2, 'PUSH1-ADD': 2 });
    expect(await trace('trigramTracer')).toMatchObject({ '--PUSH1': 1, 'PUSH1-ADD-PUSH1': 1 });
  });

  it('record opcodes for a disassembler, with the bytes of calls by index', async () => {
    // Stores 7, and calls the token with that word.
    const data = `0x60075f5260205f60205f5f73${chain.token.slice(2)}61fffff100`;
    const trace = (tracer: string) =>
      check<Record<string, unknown>[]>('debug_traceCall', { data }, 'latest', { tracer });
    const steps = await trace('evmdisTracer');
    expect(steps[0]).toEqual({ op: 0x60, depth: 1, len: 2, result: ['7'] });
    const call = steps.at(-1);
    expect(call).toMatchObject({
      op: 0xf1,
      to: BigInt(chain.token).toString(16),
      value: '0',
      error: null,
      return: null,
    });
    expect(call?.['input']).toEqual({ ...new Uint8Array(32).with(31, 7) });
    // It reverts, for want of such a function.
    expect((call?.['ops'] as { op: number }[]).at(-1)).toMatchObject({ op: 0xfd, depth: 2 });
  });

  it('in JavaScript are refused with the page that says so', async () => {
    const script =
      '{ count: 0, step: function() { this.count++ }, fault: function() {}, result: function() {} }';
    const { error } = await node.call('debug_traceCall', [{}, 'latest', { tracer: script }]);
    expect(error).toMatchObject({ code: -32602, data: { field: 'options.tracer' } });
    expect(error?.message).toContain('docs/reference/tracers.md');
  });

  it('have the preimages of the keys of the state', async () => {
    const hash = keccakHash(Buffer.from(chain.owner.slice(2), 'hex'));
    expect(await check('debug_preimage', hash)).toBe(chain.owner);
    expect(reasonOf(await node.call('debug_preimage', [MISSING]))).toBe('PREIMAGE_NOT_FOUND');
  });
});

describe('traces of a block', () => {
  it('are those of its transactions, each on the state after the one before', async () => {
    const { owner, holder } = chain;
    // Two that the same block is to have: sent together, and looked at wherever they came to be.
    const nonce = Number(await node.result('eth_getTransactionCount', [owner, 'pending']));
    const hashes = await Promise.all(
      [0, 1].map((ahead) =>
        node.result<string>('eth_sendTransaction', [
          { ...transferOf(5n), gas: '0x186a0', nonce: `0x${(nonce + ahead).toString(16)}` },
        ]),
      ),
    );
    for (const hash of hashes) {
      const { blockNumber, blockHash, gasUsed } = (await node.mined(hash)) as unknown as Record<
        string,
        string
      >;
      for (const tracer of [undefined, 'callTracer', 'prestateTracer', '4byteTracer', 'noopTracer']) {
        const options = tracer === undefined ? {} : { tracer };
        const traces = await check<{ txHash: string; result: unknown }[]>(
          'debug_traceBlockByNumber',
          blockNumber,
          options,
        );
        expect(await check('debug_traceBlockByHash', blockHash, options)).toEqual(traces);
        const { transactions } = await node.result<{ transactions: string[] }>('eth_getBlockByHash', [
          blockHash,
          false,
        ]);
        expect(traces.map(({ txHash }) => txHash)).toEqual(transactions);
        const own = traces.find(({ txHash }) => txHash === hash)?.result;
        expect(own).toEqual(await node.result('debug_traceTransaction', [hash, options]));
        if (tracer === 'callTracer') expect(own).toMatchObject({ type: 'CALL', from: owner, gasUsed });
        if (tracer === 'noopTracer') expect(own).toEqual({});
      }
    }
    expect(holder).toBeDefined();
  });

  it('are refused for block 0 and for unknown blocks', async () => {
    expect(reasonOf(await node.call('debug_traceBlockByNumber', ['0x0']))).toBe('GENESIS_NOT_TRACEABLE');
    expect(reasonOf(await node.call('debug_traceBlockByNumber', ['0xffffff']))).toBe('BLOCK_NOT_FOUND');
    expect((await node.call('debug_traceBlockByHash', [MISSING])).error).toMatchObject({ code: -32000 });
    expect(
      (await node.call('debug_traceBlockByNumber', ['latest', { tracer: 'nothing' }])).error,
    ).toMatchObject({
      code: -32602,
      data: { field: 'options.tracer' },
    });
  });
});

describe('the trace of a call', () => {
  it('equals that of the transaction step by step, and changes nothing', async () => {
    const before = await node.result('eth_getBalance', [chain.owner]);
    const call = { ...transferOf(5n), gas: '0x186a0' };
    const trace = await check<{ gas: number; structLogs: { op: string }[] }>(
      'debug_traceCall',
      call,
      'latest',
    );
    const mined = await node.result<string>('eth_sendTransaction', [call]);
    const { gasUsed } = (await node.mined(mined)) as unknown as { gasUsed: string };
    const real = await node.result<typeof trace>('debug_traceTransaction', [mined]);
    expect(trace.structLogs.map(({ op }) => op)).toEqual(real.structLogs.map(({ op }) => op));
    expect(trace.gas).toBe(Number(gasUsed));
    expect(await node.result('eth_getBalance', [chain.owner])).toBe(before);
  });

  it('counts functions, and shows what the call needs and changes', async () => {
    const call = transferOf(5n);
    expect(await check('debug_traceCall', call, 'latest', { tracer: '4byteTracer' })).toEqual({
      '0xa9059cbb-64': 1,
    });
    const needed = await check<Traced>('debug_traceCall', call, 'latest', { tracer: 'prestateTracer' });
    expect(Object.keys(needed)).toEqual(expect.arrayContaining([chain.owner, chain.token]));
    expect(Object.keys(needed[chain.token]?.storage ?? {})).toHaveLength(2);
    expect(needed[chain.token]?.code).toBe(await node.result('eth_getCode', [chain.token]));
    const { pre, post } = await check<{ pre: Traced; post: Traced }>('debug_traceCall', call, 'latest', {
      tracer: 'prestateTracer',
      tracerConfig: { diffMode: true },
    });
    const sums = [pre, post].map((accounts) =>
      Object.values((accounts[chain.token]?.storage ?? {}) as Record<string, string>).reduce(
        (sum, value) => sum + BigInt(value),
        0n,
      ),
    );
    expect(Object.keys(post[chain.token] ?? {})).toEqual(['storage']);
    // A transfer moves tokens and makes none.
    expect(sums[0]).toBe(sums[1]);
    expect(post[chain.token]?.storage).not.toEqual(pre[chain.token]?.storage);
  });

  it('uses state and block overrides, and a position inside a block', async () => {
    const to = chain.holder;
    const pretended = {
      stateOverrides: { [to]: { code: '0x4360005260206000f3' } },
      blockOverrides: { number: '0x77' },
    };
    const trace = await check<{ returnValue: string }>('debug_traceCall', { to }, 'latest', pretended);
    expect(Number(trace.returnValue)).toBe(0x77);
    const balanceOf = { to: chain.token, data: chain.abi.encodeFunctionData('balanceOf', [to]) };
    const { transactionIndex } = await node.result<{ transactionIndex: string }>('eth_getTransactionByHash', [
      chain.transfer,
    ]);
    const at = async (txIndex: number) =>
      BigInt(
        (
          await check<{ returnValue: string }>('debug_traceCall', balanceOf, chain.block.number, {
            txIndex: `0x${txIndex.toString(16)}`,
          })
        ).returnValue,
      );
    expect(await at(Number(transactionIndex))).toBe(0n);
    expect(await at(Number(transactionIndex) + 1)).toBe(1000n);
  });

  it('shows outputs of calls on request, and calls that cannot start', async () => {
    const [to, called] = [chain.holder, chain.token];
    // CALL the token with no data and no value, and again with more value than there is.
    const send = (value: string) => `5f5f5f5f${value}73${called.slice(2)}5af1`;
    const stateOverrides = { [to]: { code: `0x${send('5f')}${send('60ff')}00`, balance: '0x1' } };
    const trace = await check<{ structLogs: { op: string; returnData?: string; gasCost: number }[] }>(
      'debug_traceCall',
      { to },
      'latest',
      {
        stateOverrides: { ...stateOverrides, [called]: { code: '0x602a5f5260205ffd' } },
        enableReturnData: true,
      },
    );
    const shown = trace.structLogs.filter(({ returnData }) => returnData !== undefined);
    expect(shown[0]).toMatchObject({ op: 'PUSH0', returnData: `0x${'2a'.padStart(64, '0')}` });
    const frame = await check<{ calls: object[] }>('debug_traceCall', { to }, 'latest', {
      stateOverrides,
      tracer: 'callTracer',
    });
    expect(frame.calls).toMatchObject([
      { type: 'CALL', from: to, to: called, value: '0x0' },
      { type: 'CALL', value: '0xff', gasUsed: '0x0', error: 'insufficient balance for transfer' },
    ]);
  });

  it('that cannot start is refused with the reason', async () => {
    const { error } = await node.call('debug_traceCall', [{ ...transferOf(1n), gas: '0x5208' }, 'latest']);
    expect(error?.message).toContain('tracing failed: intrinsic gas too low');
    expect((await node.call('debug_traceCall', [{ to: chain.holder }, MISSING])).error).toMatchObject({
      code: -32000,
    });
  });

  it('is refused when it exceeds the limit of an answer, without harm to the node', async () => {
    // JUMPDEST, fill 1 kB of memory once, and loop: the memory is in every step.
    const code = '0x60016103e0525b600656';
    const { error } = await node.call('debug_traceCall', [
      { to: chain.holder, gas: '0x2faf080' },
      'latest',
      { enableMemory: true, stateOverrides: { [chain.holder]: { code } } },
    ]);
    expect(error).toMatchObject({ code: -32003, data: { reason: 'RESPONSE_TOO_LARGE' } });
    expect(await node.result('eth_chainId')).toBe('0x539');
  });
});

describe('compared with another client', () => {
  let anvil: Anvil;
  let theirs: string;
  beforeAll(async () => {
    anvil = await startAnvil();
    await anvil.result('anvil_setBalance', [chain.owner, '0x3635c9adc5dea00000']);
    await anvil.result('anvil_impersonateAccount', [chain.owner]);
    // The same transactions of the same account, so that addresses are the same too.
    const again = async (hash: string) => {
      const sent = await node.result<{ input: string; to: string | null; gas: string }>(
        'eth_getTransactionByHash',
        [hash],
      );
      const to = sent.to === null ? {} : { to: sent.to };
      const request = { from: chain.owner, data: sent.input, gas: sent.gas, ...to };
      const mined = await anvil.result<string>('eth_sendTransaction', [request]);
      // It mines at once, but answers before that.
      let receipt: { contractAddress: string | null } | null = null;
      await until(async () => (receipt = await anvil.result('eth_getTransactionReceipt', [mined])) !== null);
      return { hash: mined, ...(receipt as unknown as { contractAddress: string | null }) };
    };
    expect((await again(chain.deployment)).contractAddress).toBe(chain.token);
    theirs = (await again(chain.transfer)).hash;
  });
  afterAll(() => anvil.stop());

  const both = async <T>(options: object): Promise<[T, T]> => [
    await node.result<T>('debug_traceTransaction', [chain.transfer, options]),
    await anvil.result<T>('debug_traceTransaction', [theirs, options]),
  ];

  it('calls, logs and functions are the same', async () => {
    type Frame = Record<string, unknown>;
    const [ourFrame, theirFrame] = await both<Frame>({
      tracer: 'callTracer',
      tracerConfig: { withLog: true },
    });
    const { type, from, to, input, gasUsed, output } = theirFrame;
    expect(ourFrame).toMatchObject({ type, from, to, input, gasUsed, output });
    const logs = (frame: Frame) =>
      (frame['logs'] as { address: string; topics: string[]; data: string }[]).map(
        ({ address, topics, data }) => ({ address, topics, data }),
      );
    expect(logs(ourFrame)).toEqual(logs(theirFrame));
    const [ours, other] = await both<object>({ tracer: '4byteTracer' });
    expect(ours).toEqual(other);
  });

  it.each([false, true])('the state that is needed is the same (changes alone: %s)', async (diffMode) => {
    type Trace = Traced & { pre: Traced; post: Traced };
    const traces = await both<Trace>({ tracer: 'prestateTracer', tracerConfig: { diffMode } });
    // Balances, nonces and proposers are each client's own.
    const tokens = traces.map((trace) =>
      diffMode ? [trace.pre[chain.token], trace.post[chain.token]] : [trace[chain.token]],
    );
    const plain = (accounts: (Traced[string] | undefined)[]) =>
      accounts.map((account) => ({ code: account?.code, storage: account?.storage ?? {} }));
    expect(plain(tokens[0] ?? [])).toEqual(plain(tokens[1] ?? []));
    expect(Object.keys(traces[0])).toEqual(
      expect.arrayContaining(diffMode ? ['pre', 'post'] : [chain.owner, chain.token]),
    );
  });
});
