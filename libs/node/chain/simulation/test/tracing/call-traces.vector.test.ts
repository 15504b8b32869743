import { describe, expect, it } from '@jest/globals';
import {
  CodeCache,
  Journal,
  MemorySource,
  World,
  toWord,
  wordFromAddress,
  type PreState,
} from '@tetrad/node-evm';
import { decodeTransaction, parseGenesis, rulesAt } from '@tetrad/node-execution';
import { precompiles } from '@tetrad/node-precompiles';
import { bytesFromHex, hexFromBytes, parseAddress } from '@tetrad/types';
import { AbiCoder } from 'ethers/abi';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { NO_BUDGET, traceCalls, type CallFrame, type Stage } from '../../src/index.js';

/** A real transaction from geth's own tests: the state before it, and its trace. */
interface CallTraceVector {
  readonly genesis: {
    readonly config: Record<string, unknown> & { readonly chainId: number };
    readonly alloc: PreState;
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
  readonly result: object;
}

const folder = join(import.meta.dirname, '../../vectors/call-traces');
const names = readdirSync(folder).filter((file) => file.endsWith('.json'));

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

function stageOf({ genesis: { config, alloc }, context }: CallTraceVector): Stage {
  const file = { config: { ...config, qbft: {} }, alloc, gasLimit: '0x1', difficulty: '0x1' };
  const { forks } = parseGenesis(file);
  const block = {
    number: Number(context.number),
    timestamp: Number(context.timestamp),
    coinbase: wordFromAddress(parseAddress(context.miner)),
    gasLimit: toWord(BigInt(context.gasLimit)),
    baseFee: toWord(BigInt(context.baseFeePerGas ?? 0)),
    difficulty: toWord(BigInt(context.difficulty)),
    randomness: 0,
    blobBaseFee: 1,
    chainId: config.chainId,
    blockHash: () => 0,
    fetch: async () => undefined,
  };
  const world = new World(new MemorySource(alloc), new Journal(), new CodeCache());
  return { context: { fork: rulesAt(forks, block).fork, block, precompiles }, world };
}

describe('call traces', () => {
  it.each(names)('%s is traced as geth traces it', async (name) => {
    const vector = JSON.parse(readFileSync(join(folder, name), 'utf8')) as CallTraceVector;
    const frame = await traceCalls(
      stageOf(vector),
      decodeTransaction(bytesFromHex(vector.input), BigInt(vector.genesis.config.chainId)),
      {
        onlyTopCall: vector.tracerConfig?.onlyTopCall === true,
        withLog: false,
        revertReason,
        budget: NO_BUDGET,
      },
    );
    expect(written(frame)).toEqual(vector.result);
  });
});
