import type { BlockReference, CallRequest, StateOverrides, ethExecutionMethods } from '@tetrad/api-node';
import {
  ExecutionAbortedError,
  applyOverrides,
  call,
  estimateGas,
  findAccount,
  type CallOutcome,
  type Simulation,
} from '@tetrad/node-execution';
import { ExecutionRevertedError, type Handlers } from '@tetrad/rpc';
import { RefusalError } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';
import { BlockResolver } from './resolve-block.js';

export function executionHandlers(parts: NodeParts): Handlers<typeof ethExecutionMethods> {
  const simulator = new Simulator(parts);
  return {
    eth_call: ([request, reference, overrides], { signal }) =>
      simulator.call(request, { reference, overrides, signal }),
    eth_estimateGas: ([request, reference, overrides], { signal }) =>
      simulator.estimate(request, { reference, overrides, signal }),
    async eth_createAccessList([request, reference], { signal }) {
      const simulation = await simulator.prepare(request, { reference, signal });
      const options = { reportAccessList: true };
      const gas = simulator.gasOf(request);
      const { accessList = [], gasUsed, failure } = await call(simulation, { ...request, gas }, options);
      const entries = accessList.map(({ address, storageKeys }) => ({
        address,
        storageKeys: [...storageKeys],
      }));
      return { accessList: entries, gasUsed, ...(failure === undefined ? {} : { error: failure.message }) };
    },
  };
}

interface SimulationOptions {
  readonly reference?: BlockReference | undefined;
  readonly overrides?: StateOverrides | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Runs requests on top of a block without keeping anything. */
export class Simulator {
  private readonly blocks: BlockResolver;

  constructor(private readonly parts: NodeParts) {
    this.blocks = new BlockResolver(parts);
  }

  /** Fails: ExecutionRevertedError, RefusalError EXECUTION_FAILED or EXECUTION_TIMEOUT. */
  async call(request: CallRequest, options: SimulationOptions): Promise<Uint8Array> {
    const simulation = await this.prepare(request, options);
    const outcome = await inTime(call(simulation, { ...request, gas: this.gasOf(request) }));
    if (outcome.failure !== undefined) throw await failureOf(outcome);
    return outcome.returnData;
  }

  /** Fails: as `call`, and RefusalError GAS_REQUIRED_EXCEEDS_ALLOWANCE. */
  async estimate(request: CallRequest, options: SimulationOptions): Promise<bigint> {
    const simulation = await this.prepare(request, options);
    const highest = await this.highestGas(simulation, request);
    const estimate = await inTime(estimateGas(simulation, request, highest));
    if (estimate.kind === 'gas') return estimate.gas;
    if (estimate.outcome.failure?.kind === 'outOfGas') {
      throw new RefusalError('GAS_REQUIRED_EXCEEDS_ALLOWANCE', `gas required exceeds allowance (${highest})`);
    }
    throw await failureOf(estimate.outcome);
  }

  async prepare(request: CallRequest, options: SimulationOptions): Promise<Simulation> {
    const { reference, overrides, signal } = options;
    assertFees(request);
    const { world, block } = await this.blocks.simulation(reference);
    const copy = world.copy();
    if (overrides !== undefined) await applyOverrides(copy, overrides);
    const executor = this.parts.ledger.executor;
    return { executor, block, world: copy, ...(signal === undefined ? {} : { signal }) };
  }

  gasOf({ gas }: CallRequest): bigint {
    const most = this.parts.limits.callGas;
    return gas === undefined || gas > most ? most : gas;
  }

  /** What the sender can pay for, the block can hold and the node is willing to run. */
  private async highestGas({ world, block }: Simulation, request: CallRequest): Promise<bigint> {
    const wanted = request.gas !== undefined && request.gas >= 21_000n ? request.gas : block.gasLimit;
    const most = [wanted, block.gasLimit, this.parts.limits.callGas].reduce((a, b) => (a < b ? a : b));
    const price = request.gasPrice ?? request.maxFeePerGas ?? 0n;
    if (price === 0n || request.from === undefined) return most;
    const balance = (await findAccount(world, request.from))?.balance ?? 0n;
    const value = request.value ?? 0n;
    if (balance < value) throw new RefusalError('INSUFFICIENT_FUNDS', 'insufficient funds for transfer');
    const payable = (balance - value) / price;
    return payable < most ? payable : most;
  }
}

function assertFees({ maxFeePerGas, maxPriorityFeePerGas }: CallRequest): void {
  if (
    maxFeePerGas !== undefined &&
    maxPriorityFeePerGas !== undefined &&
    maxPriorityFeePerGas > maxFeePerGas
  ) {
    throw new RefusalError(
      'TIP_ABOVE_FEE_CAP',
      `max priority fee per gas higher than max fee per gas: maxPriorityFeePerGas: ${maxPriorityFeePerGas}, maxFeePerGas: ${maxFeePerGas}`,
    );
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ExecutionAbortedError)
      throw new RefusalError('EXECUTION_TIMEOUT', 'execution aborted (timeout)');
    throw error;
  }
}

async function failureOf({ failure, returnData }: CallOutcome): Promise<Error> {
  if (failure?.kind !== 'reverted')
    return new RefusalError('EXECUTION_FAILED', failure?.message ?? 'execution failed');
  // The coder that reads the reason brings a hundred files, which a node needs once something reverts.
  const { revertReason } = await import('./revert-reason.js');
  const reason = revertReason(returnData);
  return new ExecutionRevertedError(
    `execution reverted${reason === undefined ? '' : `: ${reason}`}`,
    returnData,
  );
}
