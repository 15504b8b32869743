import type { Account } from '@ethereumjs/util';
import { Account as EvmAccount, Address as EvmAddress } from '@ethereumjs/util';
import { EVMError } from '@ethereumjs/evm';
import {
  ZERO_ADDRESS,
  addressToBytes,
  hashToBytes,
  parseAddress,
  parseHash,
  type AccessListEntry,
  type Address,
  type Hash,
  type Log,
} from '@tetrad/types';
import type { WorldState } from '../state/world-state.js';
import type { BlockContext } from './block-context.js';
import { toLog, type Executor } from './executor.js';
import { failureText } from './failure-text.js';
import { floorGas, intrinsicGas } from './intrinsic-gas.js';
import type { Machine } from './machine.js';

/** A message that is executed and thrown away. */
export interface CallRequest {
  readonly from?: Address | undefined;
  readonly to?: Address | undefined;
  readonly gas?: bigint | undefined;
  readonly gasPrice?: bigint | undefined;
  readonly value?: bigint | undefined;
  readonly data?: Uint8Array | undefined;
  readonly accessList?: readonly AccessListEntry[] | undefined;
}

/** State that a call pretends. */
export interface AccountOverride {
  readonly balance?: bigint | undefined;
  readonly nonce?: bigint | undefined;
  readonly code?: Uint8Array | undefined;
  /** In place of the whole storage. */
  readonly state?: ReadonlyMap<Hash, Hash> | undefined;
  /** On top of the storage. */
  readonly stateDiff?: ReadonlyMap<Hash, Hash> | undefined;
}

export type StateOverrides = ReadonlyMap<Address, AccountOverride>;

export interface CallOutcome {
  readonly returnData: Uint8Array;
  readonly gasUsed: bigint;
  /** Counted before refunds: what the gas limit must at least be, next to the 63/64 rule. */
  readonly gasSpent: bigint;
  readonly logs: readonly Log[];
  readonly failure?: { readonly kind: 'reverted' | 'outOfGas' | 'halted'; readonly message: string };
  /** Addresses and slots touched, when asked for. */
  readonly accessList?: readonly AccessListEntry[];
}

export interface Simulation {
  readonly executor: Executor;
  readonly block: BlockContext;
  /** Changed by overrides and by the call; hand in a copy. */
  readonly world: WorldState;
  readonly signal?: AbortSignal;
}

/** Makes the world look as the overrides say. */
export async function applyOverrides(world: WorldState, overrides: StateOverrides): Promise<void> {
  for (const [address, override] of overrides) {
    const at = new EvmAddress(addressToBytes(address));
    const account: Account = (await world.getAccount(at)) ?? new EvmAccount();
    account.balance = override.balance ?? account.balance;
    account.nonce = override.nonce ?? account.nonce;
    await world.putAccount(at, account);
    if (override.code !== undefined) await world.putCode(at, override.code);
    if (override.state !== undefined) await world.clearStorage(at);
    for (const [slot, value] of override.state ?? override.stateDiff ?? []) {
      await world.putStorage(at, hashToBytes(slot), hashToBytes(value));
    }
  }
}

/**
 * Runs the message as a transaction of its sender would, without nonce and fee checks.
 *
 * Fails: ExecutionAbortedError when the signal aborts a long loop
 */
export async function call(
  simulation: Simulation,
  request: CallRequest & { readonly gas: bigint },
  options: { readonly reportAccessList?: boolean } = {},
): Promise<CallOutcome> {
  const { executor, block, world, signal } = simulation;
  const rules = executor.rules(block);
  const subject = {
    creation: request.to === undefined,
    data: request.data ?? new Uint8Array(0),
    accessList: request.accessList ?? [],
  };
  const intrinsic = intrinsicGas(subject, rules);
  const floor = floorGas(subject, rules);
  if (request.gas < intrinsic || request.gas < floor) {
    return failed(
      request.gas,
      'outOfGas',
      `intrinsic gas too low: gas ${request.gas}, minimum needed ${intrinsic > floor ? intrinsic : floor}`,
    );
  }
  // The EVM reports this of a call, but throws for a creation.
  if (!(await canPay(world, request)))
    return failed(request.gas, 'halted', 'insufficient funds for transfer');
  const machine = await executor.machine(block, world, signal);
  await warm(machine, request, block);
  if (options.reportAccessList === true) machine.evm.journal.startReportingAccessList();
  const result = await machine.evm.runCall({
    block: machine.enter(block),
    gasPrice: request.gasPrice ?? 0n,
    caller: evmAddress(request.from ?? ZERO_ADDRESS),
    gasLimit: request.gas - intrinsic,
    ...(request.to === undefined ? {} : { to: evmAddress(request.to) }),
    value: request.value ?? 0n,
    data: subject.data,
  });
  const { execResult } = result;
  const gasSpent = intrinsic + execResult.executionGasUsed;
  const most = gasSpent / (rules.has('london') ? 5n : 2n);
  const refund = execResult.gasRefund ?? 0n;
  const afterRefund = gasSpent - (refund < most ? refund : most);
  return {
    returnData: execResult.returnValue,
    gasUsed: afterRefund < floor ? floor : afterRefund,
    gasSpent: gasSpent < floor ? floor : gasSpent,
    logs: (execResult.logs ?? []).map(toLog),
    ...(options.reportAccessList === true ? { accessList: reportedAccessList(machine, request, block) } : {}),
    ...failureOf(execResult.exceptionError),
  };
}

function failureOf(error: EVMError | undefined): Pick<CallOutcome, 'failure'> {
  if (error === undefined) return {};
  const { REVERT, OUT_OF_GAS } = EVMError.errorMessages;
  if (error.error === REVERT) return { failure: { kind: 'reverted', message: failureText(error) } };
  if (error.error === OUT_OF_GAS) return { failure: { kind: 'outOfGas', message: failureText(error) } };
  return { failure: { kind: 'halted', message: failureText(error) } };
}

async function canPay(world: WorldState, { from, value = 0n }: CallRequest): Promise<boolean> {
  if (value === 0n) return true;
  return ((await world.getAccount(evmAddress(from ?? ZERO_ADDRESS)))?.balance ?? 0n) >= value;
}

function failed(gas: bigint, kind: 'outOfGas' | 'halted', message: string): CallOutcome {
  return { returnData: new Uint8Array(0), gasUsed: gas, gasSpent: gas, logs: [], failure: { kind, message } };
}

/** Addresses and slots that are warm from the start: EIP-2929, EIP-2930, EIP-3651. */
async function warm(machine: Machine, request: CallRequest, block: BlockContext): Promise<void> {
  const { journal, precompiles } = machine.evm;
  await journal.cleanup();
  for (const address of precompiles.keys()) journal.addAlwaysWarmAddress(address);
  for (const address of [request.from ?? ZERO_ADDRESS, request.to, block.proposer]) {
    if (address !== undefined) journal.addAlwaysWarmAddress(address.slice(2));
  }
  for (const { address, storageKeys } of request.accessList ?? []) {
    journal.addAlwaysWarmAddress(address.slice(2));
    for (const key of storageKeys) journal.addAlwaysWarmSlot(address.slice(2), key.slice(2));
  }
}

/** What the call touched, without what is warm anyway (as geth's createAccessList leaves it out). */
function reportedAccessList(machine: Machine, request: CallRequest, block: BlockContext): AccessListEntry[] {
  const free = new Set(
    [request.from ?? ZERO_ADDRESS, request.to, block.proposer].map((address) => address?.slice(2)),
  );
  const entries: AccessListEntry[] = [];
  for (const [address, slots] of machine.evm.journal.accessList ?? []) {
    if (slots.size === 0 && (free.has(address as Address) || machine.evm.precompiles.has(address))) continue;
    entries.push({
      address: parseAddress(`0x${address}`),
      storageKeys: [...slots].map((slot) => parseHash(`0x${slot.padStart(64, '0')}`)),
    });
  }
  return entries;
}

function evmAddress(address: Address): EvmAddress {
  return new EvmAddress(addressToBytes(address));
}
