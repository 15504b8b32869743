import { createVM, type VM } from '@ethereumjs/vm';
import type { Block as EvmBlock } from '@ethereumjs/block';
import { paramsEVM, type EVM } from '@ethereumjs/evm';
import { Address as EvmAddress } from '@ethereumjs/util';
import { addressToBytes, hashToBytes } from '@tetrad/types';
import type { Common } from '@ethereumjs/common';
import type { WorldState } from '../state/world-state.js';
import type { BlockContext } from './block-context.js';

/** The execution was stopped from outside: its time is over. */
export class ExecutionAbortedError extends Error {
  override readonly name = 'ExecutionAbortedError';
}

/** Work after which the event loop gets its turn, in JUMPDESTs; a loop passes one each time around. */
const WORK_BETWEEN_YIELDS = 4_096;
/** What a message between contracts counts for: recursion needs no JUMPDEST. */
const WORK_OF_MESSAGE = 64;
const JUMPDEST = 0x5b;

/** An EVM over one world, for one fork; it runs one transaction or call at a time. */
export interface Machine {
  readonly vm: VM;
  readonly evm: EVM;
  /** The rules as EthereumJS holds them, of this machine alone. */
  readonly common: Common;
  /** The block that BLOCKHASH and the other block opcodes answer from. */
  enter(block: BlockContext): EvmBlock;
}

export interface MachineOptions {
  /** Stops a running execution with ExecutionAbortedError. */
  readonly signal?: AbortSignal;
  /** Bytes of deployed code, in place of EIP-170's. */
  readonly maxCodeSize?: number;
}

/**
 * Builds an EVM that lets other work run during long executions, and stops when the signal says so.
 *
 * The EVM awaits nothing but itself, so that a loop of a contract would otherwise hold the whole node.
 */
export async function createMachine(
  world: WorldState,
  rules: Common,
  { signal, maxCodeSize }: MachineOptions = {},
): Promise<Machine> {
  const common = privateCommon(rules);
  const turns = new Turns(signal);
  let current: BlockContext | undefined;
  let entered: EvmBlock | undefined;
  const blockchain = {
    getBlock: async (number: number) => {
      const hash = await current?.findBlockHash(number);
      return { hash: () => (hash === undefined ? new Uint8Array(32) : hashToBytes(hash)) };
    },
    putBlock: async () => undefined,
    shallowCopy: () => blockchain,
  };
  const jumpDest = () => turns.work(1);
  const vm = await createVM({
    common,
    stateManager: world,
    blockchain,
    evmOpts: {
      customOpcodes: [{ opcode: JUMPDEST, opcodeName: 'JUMPDEST', baseFee: 1, logicFunction: jumpDest }],
      ...(maxCodeSize === undefined ? {} : { params: paramsWith(maxCodeSize) }),
    },
  });
  const evm = vm.evm as EVM;
  evm.events?.on('beforeMessage', (_message, resume) => {
    const turn = turns.work(WORK_OF_MESSAGE);
    if (turn === undefined) resume?.();
    else void turn.then(() => resume?.());
  });
  return {
    vm,
    evm,
    common,
    enter(block) {
      if (current !== block || entered === undefined) entered = evmBlock(block);
      current = block;
      return entered;
    },
  };
}

/**
 * A copy of the rules for one machine: an EVM hangs a listener on them that would keep it, and its world, alive
 * as long as the rules are.
 */
function privateCommon(rules: Common): Common {
  const common = rules.copy();
  const known = new Map<number, boolean>();
  // Asked for dozens of times per message, and the library searches a list each time.
  common.isActivatedEIP = (eip) => {
    let active = known.get(eip);
    if (active === undefined) known.set(eip, (active = rules.isActivatedEIP(eip)));
    return active;
  };
  return common;
}

function paramsWith(maxCodeSize: number): typeof paramsEVM {
  const init = { ...paramsEVM[3860], maxInitCodeSize: 2 * maxCodeSize };
  return { ...paramsEVM, 607: { ...paramsEVM[607], maxCodeSize }, 3860: init };
}

/** Counts work, and lets the event loop have its turn from time to time. */
class Turns {
  private done = 0;

  constructor(private readonly signal: AbortSignal | undefined) {}

  /** Waits for nothing most of the time. Fails: ExecutionAbortedError. */
  work(amount: number): Promise<void> | undefined {
    this.done += amount;
    if (this.done < WORK_BETWEEN_YIELDS) return undefined;
    this.done = 0;
    if (this.signal?.aborted === true) throw new ExecutionAbortedError('execution aborted');
    return new Promise((done) => setImmediate(done));
  }
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
