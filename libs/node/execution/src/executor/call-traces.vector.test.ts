import { describe, expect, it } from '@jest/globals';
import { ZERO_HASH, bytesFromHex, hexFromBytes, parseAddress } from '@tetrad/types';
import { AbiCoder } from 'ethers';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseGenesis } from '../genesis/genesis.js';
import { genesisState } from '../state/genesis-state.js';
import { MemoryState } from '../testing/memory-state.js';
import { decodeTransaction } from '../transaction/decode-transaction.js';
import { createExecutor } from './executor.js';
import { traceCalls, type CallFrame } from './trace-calls.js';

/** What geth's own tests hold of a real transaction: the state before it, and the trace of it. */
interface CallTraceVector {
  readonly genesis: {
    readonly config: Record<string, unknown> & { readonly chainId: number };
    readonly alloc: object;
  };
  readonly context: {
    readonly number: string;
    readonly timestamp: string;
    readonly gasLimit: string;
    readonly miner: string;
    readonly difficulty: string;
    readonly baseFeePerGas?: string;
  };
  readonly input: string;
  readonly tracerConfig?: { readonly onlyTopCall?: boolean };
  readonly result: PublishedFrame;
}

interface PublishedFrame {
  readonly type: string;
  readonly from: string;
  readonly to?: string;
  readonly value?: string;
  readonly gas: string;
  readonly gasUsed: string;
  readonly input: string;
  readonly output?: string;
  readonly error?: string;
  readonly revertReason?: string;
  readonly calls?: readonly PublishedFrame[];
}

const folder = join(import.meta.dirname, '../../vectors/call-traces');
const names = readdirSync(folder).filter((file) => file.endsWith('.json'));

/** Calls that never started, which the EVM does not report. */
const NEVER_STARTED = 'insufficient balance for transfer';

/** The EVM does not tell these two apart. */
const sameWords = (error: string) => error.replace('contract creation code storage out of gas', 'out of gas');

function published({ calls, ...frame }: PublishedFrame): object {
  const inner = (calls ?? []).filter(({ error }) => error !== NEVER_STARTED).map(published);
  const { error } = frame;
  return {
    ...frame,
    ...(error === undefined ? {} : { error: sameWords(error) }),
    ...(inner.length === 0 ? {} : { calls: inner }),
  };
}

const quantity = (value: bigint) => `0x${value.toString(16)}`;

function written({ calls, value, output, error, ...frame }: CallFrame): object {
  return {
    ...frame,
    gas: quantity(frame.gas),
    gasUsed: quantity(frame.gasUsed),
    input: hexFromBytes(frame.input),
    ...(value === undefined ? {} : { value: quantity(value) }),
    ...(output === undefined ? {} : { output: hexFromBytes(output) }),
    ...(error === undefined ? {} : { error }),
    ...(calls === undefined ? {} : { calls: calls.map(written) }),
  };
}

/** Error(string) of Solidity. */
function revertReason(data: Uint8Array): string | undefined {
  if (!hexFromBytes(data).startsWith('0x08c379a0')) return undefined;
  return AbiCoder.defaultAbiCoder().decode(['string'], data.subarray(4))[0] as string;
}

async function trace({ genesis: { config, alloc }, context, input, tracerConfig }: CallTraceVector) {
  const genesis = parseGenesis({
    config: { ...config, qbft: {} },
    alloc,
    gasLimit: '0x1',
    difficulty: '0x1',
  });
  const memory = new MemoryState();
  const root = memory.store(await genesisState(genesis, memory.database));
  const block = {
    number: Number(context.number),
    timestamp: Number(context.timestamp),
    proposer: parseAddress(context.miner),
    gasLimit: BigInt(context.gasLimit),
    ...(context.baseFeePerGas === undefined ? {} : { baseFeePerGas: BigInt(context.baseFeePerGas) }),
    difficulty: BigInt(context.difficulty),
    mixHash: ZERO_HASH,
    findBlockHash: async () => undefined,
  };
  return traceCalls(
    { executor: createExecutor(genesis), block, world: await memory.database.openWorld(root) },
    decodeTransaction(bytesFromHex(input), genesis.chainId),
    { onlyTopCall: tracerConfig?.onlyTopCall === true, withLog: false, revertReason },
  );
}

describe('call traces', () => {
  it.each(names)('%s is traced as geth traces it', async (name) => {
    const vector = JSON.parse(readFileSync(join(folder, name), 'utf8')) as CallTraceVector;
    expect(written(await trace(vector))).toEqual(published(vector.result));
  });
});
