import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { startAnvil, type Anvil } from '../../anvil.js';
import { reasonOf, type RunningNode } from '../../running-node.js';
import { MISSING, useStandardChain, type StandardChain } from '../../standard-chain.js';
import * as contracts from './trace-contracts.js';

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

interface Mined {
  readonly hash: string;
  readonly blockNumber: string;
  readonly contractAddress: string | null;
}

/** The same transaction on this node and on the other client. */
interface Pair {
  readonly ours: Mined;
  readonly theirs: Mined;
}

let node: RunningNode;
let check: StandardChain['check'];
let anvil: Anvil;
const pairs = new Map<string, Pair>();

useStandardChain((started) => {
  ({ node, check } = started);
});

/** Sends it from an account that has sent the same to both before, so that addresses are the same too. */
async function sendToBoth(name: string, transaction: object): Promise<Pair> {
  const from = node.accounts[1] as string;
  const request = { from, gas: '0xf4240', gasPrice: '0x0', ...transaction };
  const hash = await node.result<string>('eth_sendTransaction', [request]);
  const { blockNumber, contractAddress } = await node.mined(hash);
  const sent = await anvil.result<string>('eth_sendTransaction', [request]);
  let theirs: Mined | null = null;
  await until(async () => (theirs = await anvil.result('eth_getTransactionReceipt', [sent])) !== null);
  const pair = {
    ours: { hash, blockNumber, contractAddress },
    theirs: { ...(theirs as unknown as Mined), hash: sent },
  };
  expect(pair.ours.contractAddress).toBe(pair.theirs.contractAddress);
  pairs.set(name, pair);
  return pair;
}

async function deploy(name: string, code: string): Promise<string> {
  const { ours } = await sendToBoth(name, { data: contracts.initCodeOf(code) });
  return ours.contractAddress as string;
}

beforeAll(async () => {
  anvil = await startAnvil();
  const from = node.accounts[1] as string;
  const balance = await node.result('eth_getBalance', [from]);
  await anvil.result('anvil_setBalance', [from, balance]);
  await anvil.result('anvil_impersonateAccount', [from]);
  const { ANSWERS, REVERTS, INVALID, LOOPS, JUMPS_ASTRAY, DESTROYS, STORES, CREATES } = contracts;
  const answers = await deploy('deployment', ANSWERS);
  const failing: string[] = [];
  for (const code of [REVERTS, INVALID, LOOPS, JUMPS_ASTRAY]) failing.push(await deploy(code, code));
  const { callOf, precompile } = contracts;
  const calls = [
    ...(['call', 'callcode', 'delegatecall', 'staticcall'] as const).map((kind) => callOf(kind, answers)),
    ...failing.map((address) => callOf('call', address)),
    callOf('call', precompile(4)),
    callOf('staticcall', precompile(2)),
    callOf('call', answers, 3),
    callOf('delegatecall', answers),
    callOf('call', precompile(4), 1),
    callOf('call', answers, 99),
  ];
  const caller = await deploy('caller', `${calls.join('')}00`);
  await sendToBoth('calls', { to: caller, value: '0x5' });
  await sendToBoth('failed creation', { data: `0x${REVERTS}` });
  await sendToBoth('self-destruction', { to: await deploy('destroys', DESTROYS), value: '0x7' });
  await sendToBoth('creations', { to: await deploy('creates', CREATES) });
  const stores = await deploy('stores', STORES);
  const data = `0x${'07'.padStart(64, '0')}`;
  await sendToBoth('storing', { to: stores, data, value: '0x3' });
  await sendToBoth('storing again', { to: stores, data: `0x${'08'.padStart(64, '0')}` });
});
afterAll(() => anvil?.stop());

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

const NAMES = [
  'deployment',
  'calls',
  'failed creation',
  'self-destruction',
  'creations',
  'storing',
  'storing again',
];

describe('flat traces', () => {
  it.each(NAMES)('of a transaction are those of another client: %s', async (name) => {
    const { ours, theirs } = pairs.get(name) as Pair;
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

  it.each(NAMES)('of a block are those of its transactions: %s', async (name) => {
    const { hash, blockNumber } = (pairs.get(name) as Pair).ours;
    const traces = await check<Trace[]>('trace_block', blockNumber);
    const own = traces.filter(({ transactionHash }) => transactionHash === hash);
    expect(own).toEqual(await node.result('trace_transaction', [hash]));
    // As readers of older clients name blocks.
    expect(await node.result('trace_block', [Number(blockNumber)])).toEqual(traces);
  });

  it.each(NAMES)('and changes of the state are those of another client: %s', async (name) => {
    const { ours, theirs } = pairs.get(name) as Pair;
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

  it('have what is asked for alone, and no opcodes', async () => {
    const { blockNumber, hash } = (pairs.get('storing') as Pair).ours;
    const own = async (types: readonly string[]) =>
      (await check<Replayed[]>('trace_replayBlockTransactions', blockNumber, types)).find(
        ({ transactionHash }) => transactionHash === hash,
      );
    expect(await own(['stateDiff'])).toMatchObject({ trace: [], vmTrace: null });
    expect(await own([])).toMatchObject({ trace: [], stateDiff: null });
    const { error } = await node.call('trace_replayBlockTransactions', [blockNumber, ['vmTrace']]);
    expect(error).toMatchObject({ code: -32602, data: { field: 'traceTypes[0]' } });
    expect(error?.message).toContain('vmTrace is not recorded: debug_traceBlockByNumber has every opcode');
  });
});

describe('a search of flat traces', () => {
  const blockOf = (name: string) => (pairs.get(name) as Pair).ours.blockNumber;
  const search = (criteria: object) => check<Trace[]>('trace_filter', criteria);
  const addressOf = (name: string) => (pairs.get(name) as Pair).ours.contractAddress as string;

  it('finds calls by recipient and by sender, and creations by the contract', async () => {
    const [stores, sender] = [addressOf('stores'), node.accounts[1] as string];
    const found = await search({ fromBlock: blockOf('deployment'), toAddress: [stores] });
    expect(found.map(({ type }) => type)).toEqual(['create', 'call', 'call']);
    const sent = await search({ fromAddress: [sender] });
    expect(sent).toHaveLength(pairs.size);
    expect(sent).toEqual(expect.arrayContaining(found));
    const both = { fromAddress: [addressOf('caller')], toAddress: [addressOf('deployment')] };
    const intersection = await search({ ...both, mode: 'intersection' });
    expect(intersection.length).toBeGreaterThan(4);
    const union = await search({ ...both });
    expect(union.length).toBeGreaterThan(intersection.length);
    const refunded = await search({ toAddress: [`0x${'ab'.repeat(20)}`] });
    expect(refunded.filter(({ type }) => type === 'suicide')).toHaveLength(1);
  });

  it('gives pages', async () => {
    const fromAddress = [node.accounts[1] as string];
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
