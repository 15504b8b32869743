import type { BlockOverrides, BlockReference, CallRequest, StateOverrides } from '@tetrad/api-node';
import {
  applyOverrides,
  findAccount,
  outcomeOf,
  overrideBlock,
  stageOf,
  transactionGasCap,
  type CallOutcome,
  type Executor,
  type Simulation,
  type WorldState,
} from '@tetrad/node-execution';
import { overBothWorlds } from '@tetrad/node-private-state';
import {
  BlockResolver,
  responseTooLarge,
  type BlockView,
  type PendingView,
  type PrivateView,
  type StateAtBlock,
  type StateView,
} from '@tetrad/node-queries';
import type { AccessListOutcome } from './tracing/create-access-list.js';
import { RequestError, type Address } from '@tetrad/types';
import type { WorkRunner } from './client-work.js';
import { revertError } from './execution-error.js';
import type { ExecutionGate } from './execution-gate.js';
import { gasOfHash } from './gas-of-hash.js';

/** Bounds of one request. */
export interface SimulationLimits {
  /** Gas of a call and of an access list. */
  readonly callGas: bigint;
  /** Gas of each try of an estimate. */
  readonly estimateGas: bigint;
  /** Bytes of one answer. */
  readonly answerBytes: number;
}

export interface SimulationParts {
  readonly ledger: BlockView & StateView & { readonly executor: Executor };
  readonly pending: PendingView;
  /** Undefined on a node without private state. */
  readonly privateState: PrivateView | undefined;
  readonly executions: ExecutionGate;
  readonly runner: WorkRunner;
  readonly limits: SimulationLimits;
}

/** State and overrides on which a request runs, and the signal that aborts it. */
export interface SimulationOptions {
  readonly reference?: BlockReference | undefined;
  readonly overrides?: StateOverrides | undefined;
  readonly blockOverrides?: BlockOverrides | undefined;
  readonly signal?: AbortSignal | undefined;
  /** State to begin with; the end of the referenced block when absent. */
  readonly base?: StateAtBlock | undefined;
}

/** Runs calls, gas estimates and access lists for clients on top of a block, and discards their changes. */
export class Simulator {
  private readonly blocks: BlockResolver;

  constructor(private readonly parts: SimulationParts) {
    this.blocks = new BlockResolver(parts);
  }

  /** @throws ExecutionRevertedError, RequestError EXECUTION_FAILED; as `ExecutionGate` */
  async call(request: CallRequest, options: SimulationOptions): Promise<Uint8Array> {
    const message = { ...request, gas: this.gasOf(request) };
    const outcome = await this.simulate(request, options, (simulation) =>
      this.parts.runner.run(simulation, { kind: 'call', request: message }),
    );
    if (outcome.failure !== undefined) throw await failureOf(outcome);
    const { answerBytes } = this.parts.limits;
    if (2 * outcome.returnData.length > answerBytes) throw responseTooLarge(answerBytes);
    return outcome.returnData;
  }

  /**
   * The request runs with the gas that a transaction may have.
   * @throws RequestError GAS_REQUIRED_EXCEEDS_ALLOWANCE when it needs more; as `ExecutionGate`
   */
  createAccessList(request: CallRequest, options: SimulationOptions): Promise<AccessListOutcome> {
    const wanted = this.gasOf(request);
    return this.simulate(request, options, async (simulation) => {
      const cap = transactionGasCap(simulation.executor.rules(simulation.block));
      const gas = cap !== undefined && wanted > cap ? cap : wanted;
      const message = { ...request, gas };
      const created = await this.parts.runner.run(simulation, { kind: 'accessList', request: message });
      if (gas < wanted && outcomeOf(created.outcome).failure?.kind === 'outOfGas')
        throw exceedsAllowance(gas, cap);
      return created;
    });
  }

  /** @throws as `call`, and RequestError GAS_REQUIRED_EXCEEDS_ALLOWANCE */
  async estimate(request: CallRequest, options: SimulationOptions): Promise<bigint> {
    return this.simulate(request, options, async (simulation) => {
      const cap = transactionGasCap(simulation.executor.rules(simulation.block));
      const highest = least([await this.highestGas(simulation, request), cap]);
      const estimate = await this.parts.runner.run(simulation, { kind: 'estimate', request, highest });
      if (estimate.kind === 'failure') {
        if (estimate.outcome.failure?.kind === 'outOfGas') throw exceedsAllowance(highest, cap);
        throw await failureOf(estimate.outcome);
      }
      const gas = estimate.gas + this.gasForPrivacy(simulation, request);
      if (cap !== undefined && gas > cap) throw exceedsAllowance(cap, cap);
      return gas;
    });
  }

  /**
   * On a node with private transactions, a request with value 0 or with `privateFor` gets additional gas for the hash of a
   * payload (docs/adr/0129).
   */
  private gasForPrivacy(simulation: Simulation, { value, data, privateFor }: CallRequest): bigint {
    const carried = value ?? (privateFor === undefined ? undefined : 0n);
    if (this.parts.privateState === undefined || carried !== 0n) return 0n;
    return gasOfHash(data ?? new Uint8Array(0), stageOf(simulation).context);
  }

  /** Prepares and runs within the limits of `ExecutionGate`. */
  private simulate<T>(
    request: CallRequest,
    { signal, ...options }: SimulationOptions,
    run: (simulation: Simulation) => Promise<T>,
  ): Promise<T> {
    return this.parts.executions.run(signal, async (admission) =>
      run({ ...(await this.prepare(request, options)), ...admission }),
    );
  }

  async prepare(request: CallRequest, options: SimulationOptions): Promise<Simulation> {
    const { reference, overrides, blockOverrides, signal } = options;
    assertFees(request);
    const base = options.base ?? (await this.blocks.simulation(reference));
    const block = blockOverrides === undefined ? base.block : overrideBlock(base.block, blockOverrides);
    const world = base.world.copy();
    const privateWorld = await this.findPrivate(request, base);
    if (overrides !== undefined) await applyToBoth(overrides, world, privateWorld);
    return {
      executor: this.parts.ledger.executor,
      block,
      world,
      ...(signal === undefined ? {} : { signal }),
      ...(privateWorld === undefined ? {} : { hooksOf: overBothWorlds(privateWorld) }),
    };
  }

  /**
   * Private state for a request to a private contract; all others see public state alone, as in GoQuorum.
   * @throws RequestError PRIVATE_STATE_NOT_AVAILABLE when the contract may be private, EXECUTION_FAILED
   */
  private async findPrivate(
    { to, value, data }: CallRequest,
    base: StateAtBlock,
  ): Promise<WorldState | undefined> {
    if (to === undefined) return undefined;
    // A request without data is a transfer, unless the contract is known to be private.
    const wanted = data === undefined || data.length === 0 ? 'balance' : 'code';
    const world = await this.blocks.privateWorldOf(to, { ...base, wanted });
    if (world !== undefined && (value ?? 0n) > 0n) {
      // Private state has no ether, and public ether is not moved from there.
      throw new RequestError('EXECUTION_FAILED', 'insufficient funds for transfer');
    }
    return world;
  }

  gasOf({ gas }: CallRequest): bigint {
    const most = this.parts.limits.callGas;
    return gas === undefined || gas > most ? most : gas;
  }

  /** Upper bound of the gas: the least of the sender's funds, the block's gas limit and the node's limit. */
  private async highestGas({ world, block }: Simulation, request: CallRequest): Promise<bigint> {
    const wanted = request.gas !== undefined && request.gas >= 21_000n ? request.gas : block.gasLimit;
    const most = least([wanted, block.gasLimit, this.parts.limits.estimateGas]);
    const price = request.gasPrice ?? request.maxFeePerGas ?? 0n;
    if (price === 0n || request.from === undefined) return most;
    const balance = (await findAccount(world, request.from))?.balance ?? 0n;
    const value = request.value ?? 0n;
    if (balance < value) throw new RequestError('INSUFFICIENT_FUNDS', 'insufficient funds for transfer');
    const payable = (balance - value) / price;
    return payable < most ? payable : most;
  }
}

/** Applies overrides to private state for accounts that exist there, and to public state for all others. */
async function applyToBoth(
  overrides: StateOverrides,
  world: WorldState,
  privateWorld: WorldState | undefined,
): Promise<void> {
  const ofPrivate = new Set<Address>();
  for (const address of privateWorld === undefined ? [] : overrides.keys()) {
    if ((await privateWorld?.findAccount(address)) !== undefined) ofPrivate.add(address);
  }
  const those = (isPrivate: boolean) =>
    new Map([...overrides].filter(([address]) => ofPrivate.has(address) === isPrivate));
  await applyOverrides(world, those(false));
  if (privateWorld !== undefined) await applyOverrides(privateWorld, those(true));
}

function least(bounds: readonly [bigint, ...(bigint | undefined)[]]): bigint {
  return bounds.reduce<bigint>((a, b) => (b !== undefined && b < a ? b : a), bounds[0]);
}

/** With geth's text, and the rule where it is the rule that bounds the gas. */
function exceedsAllowance(gas: bigint, cap: bigint | undefined): RequestError {
  const rule = gas === cap ? ': the gas limit of a transaction' : '';
  return new RequestError('GAS_REQUIRED_EXCEEDS_ALLOWANCE', `gas required exceeds allowance (${gas})${rule}`);
}

function assertFees({ maxFeePerGas, maxPriorityFeePerGas }: CallRequest): void {
  if (
    maxFeePerGas !== undefined &&
    maxPriorityFeePerGas !== undefined &&
    maxPriorityFeePerGas > maxFeePerGas
  ) {
    throw new RequestError(
      'TIP_ABOVE_FEE_CAP',
      `max priority fee per gas higher than max fee per gas: maxPriorityFeePerGas: ${maxPriorityFeePerGas}, maxFeePerGas: ${maxFeePerGas}`,
    );
  }
}

async function failureOf({ failure, returnData }: CallOutcome): Promise<Error> {
  if (failure?.kind !== 'reverted')
    return new RequestError('EXECUTION_FAILED', failure?.message ?? 'execution failed');
  return revertError(returnData);
}
