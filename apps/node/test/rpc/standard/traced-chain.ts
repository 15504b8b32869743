import { afterAll, beforeAll, expect } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { startAnvil, type Anvil } from '../../anvil.js';
import { useStandardChain, type StandardChain } from '../../standard-chain.js';
import * as contracts from './trace-contracts.js';

export interface Mined {
  readonly hash: string;
  readonly blockNumber: string;
  readonly contractAddress: string | null;
}

/** The same transaction on a node and on another client. */
export interface Pair {
  readonly ours: Mined;
  readonly theirs: Mined;
}

/** A node and another client with the same transactions, which fail, call and create in every way that a trace shows. */
export interface TracedChain extends StandardChain {
  readonly anvil: Anvil;
  /** Who sent the transactions on both. */
  readonly sender: string;
  /** Number of the transactions of the sender. */
  readonly sent: number;
  /** A transaction by its name of `TRACED`. */
  pair(name: string): Pair;
  /** The contract that a transaction created on both. */
  contract(name: string): string;
}

/** Names of transactions whose traces are worth comparing. */
export const TRACED = [
  'deployment',
  'calls',
  'failed creation',
  'self-destruction',
  'creations',
  'storing',
  'storing again',
] as const;

/** Has the tests of a file ask such a chain, from their start to their end. */
export function useTracedChain(take: (chain: TracedChain) => void): void {
  let chain: StandardChain;
  let anvil: Anvil | undefined;
  useStandardChain((started) => (chain = started));
  beforeAll(async () => {
    anvil = await startAnvil();
    take(await sendAll(chain, anvil));
  });
  afterAll(() => anvil?.stop());
}

async function sendAll(chain: StandardChain, anvil: Anvil): Promise<TracedChain> {
  const { node } = chain;
  const sender = node.accounts[1] as string;
  await anvil.result('anvil_setBalance', [sender, await node.result('eth_getBalance', [sender])]);
  await anvil.result('anvil_impersonateAccount', [sender]);
  const pairs = new Map<string, Pair>();
  /** From an account that has sent the same to both before, so that addresses are the same too. */
  const send = async (name: string, transaction: object) => {
    const request = { from: sender, gas: '0xf4240', gasPrice: '0x0', ...transaction };
    const hash = await node.result<string>('eth_sendTransaction', [request]);
    const { blockNumber, contractAddress } = await node.mined(hash);
    const other = await anvil.result<string>('eth_sendTransaction', [request]);
    let theirs: Mined | null = null;
    await until(async () => (theirs = await anvil.result('eth_getTransactionReceipt', [other])) !== null);
    const receipt = theirs as unknown as Mined;
    expect(contractAddress).toBe(receipt.contractAddress);
    pairs.set(name, { ours: { hash, blockNumber, contractAddress }, theirs: { ...receipt, hash: other } });
    return contractAddress;
  };
  const deploy = (name: string, code: string) => send(name, { data: contracts.initCodeOf(code) });
  const to = await deploy('caller', await callsOf(deploy));
  await send('calls', { to, value: '0x5' });
  await send('failed creation', { data: `0x${contracts.REVERTS}` });
  await send('self-destruction', { to: await deploy('destroys', contracts.DESTROYS), value: '0x7' });
  await send('creations', { to: await deploy('creates', contracts.CREATES) });
  const stores = await deploy('stores', contracts.STORES);
  await send('storing', { to: stores, data: `0x${'07'.padStart(64, '0')}`, value: '0x3' });
  await send('storing again', { to: stores, data: `0x${'08'.padStart(64, '0')}` });
  const pair = (name: string) => pairs.get(name) as Pair;
  const contract = (name: string) => pair(name).ours.contractAddress as string;
  return { ...chain, anvil, sender, sent: pairs.size, pair, contract };
}

/** Code that calls contracts of its own, and precompiles, in all ways. */
async function callsOf(deploy: (name: string, code: string) => Promise<string>): Promise<string> {
  const { ANSWERS, REVERTS, INVALID, LOOPS, JUMPS_ASTRAY, callOf, precompile } = contracts;
  const answers = await deploy('deployment', ANSWERS);
  const failing: string[] = [];
  for (const code of [REVERTS, INVALID, LOOPS, JUMPS_ASTRAY]) failing.push(await deploy(code, code));
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
  return `${calls.join('')}00`;
}
