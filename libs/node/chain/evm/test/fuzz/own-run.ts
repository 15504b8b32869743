import {
  addressFromWord,
  hashFromWord,
  rulesOf,
  CodeCache,
  Journal,
  World,
  messageGas,
  prepare,
  startMessage,
  toWord,
  wordFromAddress,
  wordFromHash,
  MemorySource,
  type BlockContext,
  type ExecutionContext,
  type FrameOutcome,
  type Precompiles,
  type StepListener,
} from '../../src/index.js';
import { keccakHash } from '@tetrad/crypto';
import { drive } from '../../src/transaction/drive.js';
import { endTransaction } from '../../src/transaction/end-transaction.js';
import { hexFromBytes } from '@tetrad/types';
import { describeAccount, describeWarm, type Description } from './description.js';
import { BLOCK, COINBASE, RANDOMNESS } from './oracle.js';
import type { Scenario } from './random-world.js';

export const FUZZ_BLOCK: BlockContext = {
  number: Number(BLOCK.number),
  timestamp: Number(BLOCK.timestamp),
  coinbase: wordFromAddress(COINBASE),
  gasLimit: toWord(BLOCK.gasLimit),
  baseFee: toWord(BLOCK.baseFee),
  difficulty: 0x20000,
  randomness: toWord(RANDOMNESS),
  blobBaseFee: 1,
  chainId: 1,
  blockHash: (number) => wordFromHash(keccakHash(new TextEncoder().encode(String(number)))),
  fetch: async () => undefined,
};

/** Disturbances of a run, which must not change its result. */
export interface Disturbance {
  /** Whether every read is missing at first. */
  readonly cold?: boolean;
  readonly sliceGas?: number;
  readonly listener?: StepListener;
}

/** Gas that is left for the execution. */
export function executionGasOf({ fork, request }: Scenario): number {
  const { to, data, accessList, gas } = request;
  return gas - messageGas({ creation: to === undefined, data, accessList }, rulesOf(fork)).intrinsic;
}

/** Runs a scenario in our own interpreter. */
export async function runOwn(
  { fork, pre, request }: Scenario,
  precompiles: Precompiles,
  { cold = false, ...disturbance }: Disturbance = {},
): Promise<Description> {
  const source = new MemorySource(pre, cold);
  const journal = new Journal();
  const world = new World(source, journal, new CodeCache());
  const context: ExecutionContext = { fork, block: FUZZ_BLOCK, precompiles, ...disturbance };
  const wanted = { sender: request.from, to: request.to, coinbase: FUZZ_BLOCK.coinbase, accessList: [] };
  const participants = await prepare(world, wanted);
  const { nonce } = participants.sender;
  if (request.to === undefined) participants.sender.setNonce(nonce + 1n);
  const evm = startMessage(context, {
    ...participants,
    world,
    nonce,
    accessList: [],
    data: request.data,
    gas: executionGasOf({ fork, pre, request }),
    gasPrice: 0,
    value: toWord(request.value),
  });
  await drive(evm);
  const { gasUsed, output, failure } = evm.outcome as FrameOutcome;
  const logs = journal.logs.map(({ address, topics, data }) =>
    [addressFromWord(address), ...topics.map(hashFromWord), hexFromBytes(data)].join(' '),
  );
  const { refund } = journal;
  const warm = describeWarm(
    world.warm().map(({ address, slots }) => [BigInt(address), slots.map(BigInt)] as const),
  );
  endTransaction(journal, rulesOf(fork));
  source.apply(world.changes());
  return { gasUsed, output: hexFromBytes(output), failure, refund, logs, warm, state: stateOf(source) };
}

function stateOf(source: MemorySource): string[] {
  const described = [...source.accounts].map(([address, { nonce, balance, codeHash, slots }]) =>
    describeAccount(addressFromWord(address), {
      nonce,
      balance,
      codeHash,
      slots: [...slots].map(([slot, value]) => [BigInt(slot), BigInt(value)] as const),
    }),
  );
  return described.sort();
}
