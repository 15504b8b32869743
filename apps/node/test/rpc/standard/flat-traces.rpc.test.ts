import { describe, expect, it } from '@jest/globals';
import type { Anvil } from '../../anvil.js';
import { reasonOf, type RunningNode } from '../../running-node.js';
import { MISSING } from '../../standard-chain.js';
import { TRACED, useTracedChain, type TracedChain } from './traced-chain.js';

interface Trace {
  readonly type: string;
  readonly action: Readonly<Record<string, string>>;
  readonly result: object | null;
  readonly error?: string;
  readonly subtraces: number;
  readonly traceAddress: readonly number[];
  readonly blockNumber: number;
  readonly transactionHash: string;
}

interface Changes {
  readonly balance: unknown;
  readonly code: unknown;
  readonly nonce: unknown;
  readonly storage: object;
}

interface Replayed {
  readonly output: string;
  readonly stateDiff: Readonly<Record<string, Changes>> | null;
  readonly trace: readonly Trace[];
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

/** The other client lists calls to precompiles too, which OpenEthereum, Erigon and Besu leave out. */
function withoutPrecompiles(traces: readonly Trace[]): Trace[] {
  const isPrecompile = ({ type, action, traceAddress }: Trace) =>
    type === 'call' &&
    traceAddress.length > 0 &&
    /^0x0{38}/.test(action['to'] as string) &&
    action['value'] === '0x0';
  const left = traces.filter((trace) => !isPrecompile(trace));
  const dropped = traces.length - left.length;
  return left.map((trace) => {
    if (trace.traceAddress.length === 0) return { ...trace, subtraces: trace.subtraces - dropped };
    const [index = 0, ...rest] = trace.traceAddress;
    const before = traces.filter((one) => isPrecompile(one) && (one.traceAddress[0] ?? 0) < index).length;
    return { ...trace, traceAddress: [index - before, ...rest] };
  });
}

/** Names of failures differ: ours are OpenEthereum's throughout. */
function comparable(traces: readonly Trace[]): object[] {
  return withoutPrecompiles(traces).map((trace) => {
    const { action, result, error, subtraces, traceAddress, type } = trace;
    return { action, result, hasFailed: error !== undefined, subtraces, traceAddress, type };
  });
}

/**
 * An account that came to be by a transfer as the other client shows it: changed from an empty one. OpenEthereum and
 * Erigon show a new account, as we do.
 */
function sinceEmpty(changes: Changes): Changes {
  const { balance, nonce } = changes as { balance: { '+': string }; nonce: { '+'?: string } };
  if (nonce['+'] !== '0x0') return changes;
  return { ...changes, balance: { '*': { from: '0x0', to: balance['+'] } }, code: '=', nonce: '=' };
}

describe('flat traces', () => {
  it.each(TRACED)('of a transaction are those of another client: %s', async (name) => {
    const { ours, theirs } = chain.pair(name);
    const traces = await check<Trace[]>('trace_transaction', ours.hash);
    const other = await anvil.result<Trace[]>('trace_transaction', [theirs.hash]);
    expect(comparable(traces)).toEqual(comparable(other));
    for (const trace of traces)
      expect(trace).toMatchObject({
        transactionHash: ours.hash,
        blockNumber: Number(ours.blockNumber),
        transactionPosition: expect.any(Number),
      });
  });

  it.each(TRACED)('of a block are those of its transactions: %s', async (name) => {
    const { hash, blockNumber } = chain.pair(name).ours;
    const traces = await check<Trace[]>('trace_block', blockNumber);
    const own = traces.filter(({ transactionHash }) => transactionHash === hash);
    expect(own).toEqual(await node.result('trace_transaction', [hash]));
    // As readers of older clients name blocks.
    expect(await node.result('trace_block', [Number(blockNumber)])).toEqual(traces);
  });

  it.each(TRACED)('and changes of the state are those of another client: %s', async (name) => {
    const { ours, theirs } = chain.pair(name);
    const types = ['trace', 'stateDiff'];
    const replayed = await check<Replayed[]>('trace_replayBlockTransactions', ours.blockNumber, types);
    const other = await anvil.result<Replayed[]>('trace_replayBlockTransactions', [
      theirs.blockNumber,
      types,
    ]);
    const mine = replayed.find(({ transactionHash }) => transactionHash === ours.hash) as Replayed;
    const [same] = other as [Replayed];
    expect(mine.output).toBe(same.output);
    expect(comparable(mine.trace)).toEqual(comparable(same.trace));
    const coinbase = `0x${'0'.repeat(40)}`;
    const changes = Object.entries(same.stateDiff ?? {}).filter(([address]) => address !== coinbase);
    const plain = Object.entries(mine.stateDiff ?? {}).map(([address, one]) => [address, sinceEmpty(one)]);
    expect(Object.fromEntries(plain)).toEqual(Object.fromEntries(changes));
  });

  it('of genesis are none, of an unknown block an error, of an unknown transaction null', async () => {
    expect(await check('trace_block', '0x0')).toEqual([]);
    expect(await check('trace_replayBlockTransactions', 'earliest', ['trace'])).toEqual([]);
    expect(reasonOf(await node.call('trace_block', ['0xffffff']))).toBe('BLOCK_NOT_FOUND');
    expect(await check('trace_transaction', MISSING)).toBeNull();
  });

  it.each(TRACED)('of one transaction are those of its block: %s', async (name) => {
    const { hash, blockNumber } = chain.pair(name).ours;
    const types = ['stateDiff', 'trace'];
    const block = await node.result<Replayed[]>('trace_replayBlockTransactions', [blockNumber, types]);
    const own = block.find(({ transactionHash }) => transactionHash === hash);
    expect(await check('trace_replayTransaction', hash, types)).toEqual(own);
    expect(await check('trace_replayTransaction', MISSING, types)).toBeNull();
  });

  it('have what is asked for alone', async () => {
    const { blockNumber, hash } = chain.pair('storing').ours;
    const own = async (types: readonly string[]) =>
      (await check<Replayed[]>('trace_replayBlockTransactions', blockNumber, types)).find(
        ({ transactionHash }) => transactionHash === hash,
      );
    expect(await own(['stateDiff'])).toMatchObject({ trace: [], vmTrace: null });
    expect(await own([])).toMatchObject({ trace: [], stateDiff: null });
    expect(await own(['vmTrace'])).toMatchObject({
      trace: [],
      stateDiff: null,
      vmTrace: { ops: expect.any(Array) },
    });
    const { error } = await node.call('trace_replayBlockTransactions', [blockNumber, ['vmtrace']]);
    expect(error).toMatchObject({ code: -32602, data: { field: 'traceTypes[0]' } });
  });
});

describe('a search of flat traces', () => {
  const blockOf = (name: string) => chain.pair(name).ours.blockNumber;
  const search = (criteria: object) => check<Trace[]>('trace_filter', criteria);

  it('finds calls by recipient and by sender, and creations by the contract', async () => {
    const [stores, sender] = [chain.contract('stores'), chain.sender];
    const found = await search({ fromBlock: blockOf('deployment'), toAddress: [stores] });
    expect(found.map(({ type }) => type)).toEqual(['create', 'call', 'call']);
    const sent = await search({ fromAddress: [sender] });
    expect(sent).toHaveLength(chain.sent);
    expect(sent).toEqual(expect.arrayContaining(found));
    const both = { fromAddress: [chain.contract('caller')], toAddress: [chain.contract('deployment')] };
    const intersection = await search({ ...both, mode: 'intersection' });
    expect(intersection.length).toBeGreaterThan(4);
    const union = await search({ ...both });
    expect(union.length).toBeGreaterThan(intersection.length);
    const refunded = await search({ toAddress: [`0x${'ab'.repeat(20)}`] });
    expect(refunded.filter(({ type }) => type === 'suicide')).toHaveLength(1);
  });

  it('gives pages', async () => {
    const fromAddress = [chain.sender];
    const all = await search({ fromAddress });
    const pages = await Promise.all(
      [0, 1, 2].map((page) => search({ fromAddress, after: page * 2, count: 2 })),
    );
    expect(pages.flat()).toEqual(all.slice(0, 6));
    expect(await search({ fromAddress, count: 0 })).toEqual([]);
    expect(await search({ fromAddress, after: 1000 })).toEqual([]);
  });

  it('is refused for a range that descends or is malformed, by name', async () => {
    expect(reasonOf(await node.call('trace_filter', [{ fromBlock: '0x2', toBlock: '0x1' }]))).toBe(
      'INVALID_TRACE_RANGE',
    );
    const { error } = await node.call('trace_filter', [{ mode: 'neither' }]);
    expect(error).toMatchObject({ code: -32602, data: { field: 'filter.mode' } });
    expect(await search({ fromBlock: '0xffffff0', toBlock: '0xfffffff' })).toEqual([]);
  });
});
