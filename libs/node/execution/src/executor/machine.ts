import { createVM, type VM } from '@ethereumjs/vm';
import type { Block as EvmBlock } from '@ethereumjs/block';
import type { EVM } from '@ethereumjs/evm';
import { Address as EvmAddress } from '@ethereumjs/util';
import { addressToBytes, hashToBytes } from '@tetrad/types';
import type { Common } from '@ethereumjs/common';
import type { WorldState } from '../state/world-state.js';
import type { BlockContext } from './block-context.js';

/** The execution was stopped from outside: its time is over. */
export class ExecutionAbortedError extends Error {
  override readonly name = 'ExecutionAbortedError';
}

/** Loops pass a JUMPDEST; after so many of them the event loop gets its turn. */
const JUMPS_BETWEEN_YIELDS = 4_096;
const JUMPDEST = 0x5b;

/** An EVM over one world, for one fork; it runs one transaction or call at a time. */
export interface Machine {
  readonly vm: VM;
  readonly evm: EVM;
  /** The block that BLOCKHASH and the other block opcodes answer from. */
  enter(block: BlockContext): EvmBlock;
}

/**
 * Builds an EVM that lets other work run during long executions, and stops when the signal says so.
 *
 * The EVM awaits nothing but itself, so that a loop of a contract would otherwise hold the whole node.
 */
export async function createMachine(
  world: WorldState,
  common: Common,
  options: { signal?: AbortSignal; maxCodeSize?: number } = {},
): Promise<Machine> {
  let current: BlockContext | undefined;
  const blockchain = {
    getBlock: async (number: number) => {
      const hash = await current?.findBlockHash(number);
      return { hash: () => (hash === undefined ? new Uint8Array(32) : hashToBytes(hash)) };
    },
    putBlock: async () => undefined,
    shallowCopy: () => blockchain,
  };
  const vm = await createVM({
    common,
    stateManager: world,
    blockchain,
    evmOpts: {
      customOpcodes: [
        { opcode: JUMPDEST, opcodeName: 'JUMPDEST', baseFee: 1, logicFunction: yieldingJumpDest(options.signal) },
      ],
      ...(options.maxCodeSize === undefined ? {} : { allowUnlimitedContractSize: true }),
    },
  });
  return {
    vm,
    evm: vm.evm as EVM,
    enter(block) {
      current = block;
      return evmBlock(block);
    },
  };
}

function yieldingJumpDest(signal: AbortSignal | undefined): () => Promise<void> | void {
  let jumps = 0;
  return () => {
    if (++jumps < JUMPS_BETWEEN_YIELDS) return undefined;
    jumps = 0;
    if (signal?.aborted === true) throw new ExecutionAbortedError('execution aborted');
    return new Promise((done) => setImmediate(done));
  };
}

/** The fields of a block that the EVM reads. */
function evmBlock(block: BlockContext): EvmBlock {
  return {
    header: {
      number: BigInt(block.number),
      timestamp: BigInt(block.timestamp),
      coinbase: new EvmAddress(addressToBytes(block.proposer)),
      gasLimit: block.gasLimit,
      baseFeePerGas: block.baseFeePerGas,
      difficulty: block.difficulty,
      prevRandao: hashToBytes(block.mixHash),
      getBlobGasPrice: () => 1n,
    },
  } as unknown as EvmBlock;
}
