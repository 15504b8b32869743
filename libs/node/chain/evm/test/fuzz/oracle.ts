import { createEVM, type EVM, type EVMResult } from '@ethereumjs/evm';
import { SimpleStateManager } from '@ethereumjs/statemanager';
import type { Block } from '@ethereumjs/block';
import { Account, Address as EvmAddress } from '@ethereumjs/util';
import { keccak256 } from '@tetrad/crypto';
import { addressToBytes, bytesFromHex, hexFromBytes, type Address } from '@tetrad/types';
import { commonOf } from '../common-of.js';
import type { ForkName, PreState } from '../../src/index.js';
import type { Scenario } from './random-world.js';
import { correctCreations } from './correct-creations.js';
import { describeAccount, describeWarm, type Description } from './description.js';

/** The block of every scenario. */
export const BLOCK = { number: 300n, timestamp: 1_700_000_000n, gasLimit: 30_000_000n, baseFee: 7n } as const;
export const COINBASE = `0x${'c0'.repeat(20)}` as Address;
export const RANDOMNESS = 0x1234567890abcdef1234567890abcdefn;

const oracles = new Map<ForkName, EVM>();

/**
 * Runs a scenario in EthereumJS.
 * @returns the run in a form that can be compared
 */
export async function runOracle(
  { fork, pre, request }: Scenario,
  { executionGas }: { executionGas: number },
): Promise<Description> {
  const { evm, state } = await openOracle(fork, pre);
  const { execResult } = await callOracle(evm, request, executionGas);
  const warm = warmOf(evm);
  for (const [address] of execResult.selfdestruct ?? []) {
    // EIP-6780: only what the same transaction made.
    if (evm.common.isActivatedEIP(6780) && execResult.createdAddresses?.has(address) !== true) continue;
    await evm.journal.deleteAccount(new EvmAddress(bytesFromHex(address)));
    await state.clearStorage(new EvmAddress(bytesFromHex(address)));
  }
  await evm.journal.cleanup();
  return {
    gasUsed: Number(execResult.executionGasUsed),
    output: hexFromBytes(execResult.returnValue),
    failure: failureOf(fork, execResult.exceptionError?.error),
    refund: Number(execResult.gasRefund ?? 0n),
    logs: (execResult.logs ?? []).map(([address, topics, data]) =>
      [hexFromBytes(address), ...topics.map((topic) => hexFromBytes(topic)), hexFromBytes(data)].join(' '),
    ),
    warm,
    state: stateOf(state),
  };
}

/**
 * Before EIP-2 a creation that cannot pay for its code leaves a contract without code, and has not failed. EthereumJS
 * gives the outermost message that does so a reason, and treats it as one that succeeded.
 */
function failureOf(fork: ForkName, error: string | undefined): string | undefined {
  return fork === 'chainstart' && error === 'code store out of gas' ? undefined : error;
}

/** EthereumJS over a separate state. */
export async function openOracle(
  fork: ForkName,
  pre: PreState,
): Promise<{ readonly evm: EVM; readonly state: SimpleStateManager }> {
  const evm = await oracleOf(fork);
  const state = new SimpleStateManager({ common: evm.common });
  evm.stateManager = state;
  Object.assign(evm.journal, { stateManager: state });
  await fill(state, pre);
  return { evm, state };
}

/** Sends a message as the first of a transaction. */
export async function callOracle(
  evm: EVM,
  request: Scenario['request'],
  executionGas: number,
): Promise<EVMResult> {
  await evm.journal.cleanup();
  warm(evm, request);
  evm.transientStorage.clear();
  evm.stateManager.originalStorageCache.clear();
  const isCreation = request.to === undefined;
  return evm.runCall({
    block: BLOCK_FACE,
    gasPrice: request.gasPrice,
    caller: evmAddress(request.from),
    gasLimit: BigInt(executionGas),
    ...(isCreation ? {} : { to: evmAddress(request.to as Address), skipNonceIncrement: true }),
    value: request.value,
    data: request.data,
  });
}

async function oracleOf(fork: ForkName): Promise<EVM> {
  let evm = oracles.get(fork);
  if (evm === undefined) {
    const common = commonOf(fork);
    Object.assign(common.customCrypto, { keccak256 });
    const blockchain = {
      getBlock: async (number: number) => ({
        hash: () => keccak256(new TextEncoder().encode(String(number))),
      }),
      putBlock: async () => undefined,
      shallowCopy: () => blockchain,
    };
    evm = (await createEVM({ common, blockchain: blockchain as never })) as EVM;
    correctCreations(evm);
    oracles.set(fork, evm);
  }
  return evm;
}

async function fill(state: SimpleStateManager, pre: PreState): Promise<void> {
  for (const [address, { balance, nonce, code, storage }] of Object.entries(pre)) {
    const at = evmAddress(address as Address);
    await state.putAccount(at, new Account(BigInt(nonce ?? 0), BigInt(balance ?? 0)));
    if (code !== undefined) await state.putCode(at, bytesFromHex(code));
    for (const [slot, value] of Object.entries(storage ?? {})) {
      if (BigInt(value) === 0n) continue;
      await state.putStorage(at, wordBytes(BigInt(slot)), trimmed(BigInt(value)));
    }
  }
}

function warm(evm: EVM, request: Scenario['request']): void {
  for (const address of evm.precompiles.keys()) evm.journal.addAlwaysWarmAddress(address);
  for (const address of [request.from, request.to]) {
    if (address !== undefined) evm.journal.addAlwaysWarmAddress(address.slice(2));
  }
  if (evm.common.isActivatedEIP(3651)) evm.journal.addAlwaysWarmAddress(COINBASE.slice(2));
}

/** EthereumJS' access sets (EIP-2929), which are accessible by single queries only. */
function warmOf({ journal, common }: EVM): string[] {
  if (!common.isActivatedEIP(2929)) return [];
  const kept = journal as unknown as Record<'journal' | 'alwaysWarmJournal', Map<string, Set<string>>>;
  const addresses = new Set([...kept.journal.keys(), ...kept.alwaysWarmJournal.keys()]);
  return describeWarm(
    [...addresses].map((address) => {
      const slots = [...(kept.journal.get(address) ?? [])].map((slot) => BigInt(`0x${slot}`));
      return [BigInt(`0x${address}`), slots] as const;
    }),
  );
}

function stateOf(state: SimpleStateManager): string[] {
  const accounts = state.accountStack.at(-1) as Map<string, Account | undefined>;
  const storage = state.storageStack.at(-1) as Map<string, Uint8Array>;
  const described = [...accounts].flatMap(([address, account]) => {
    if (account === undefined) return [];
    const slots = [...storage]
      .filter(([key, value]) => key.startsWith(address) && value.some((byte) => byte !== 0))
      .map(([key, value]) => [BigInt(key.slice(43)), BigInt(hexFromBytes(value))] as const);
    const { nonce, balance, codeHash } = account;
    return [describeAccount(address, { nonce, balance, codeHash: hexFromBytes(codeHash), slots })];
  });
  return described.sort();
}

function evmAddress(address: Address): EvmAddress {
  return new EvmAddress(addressToBytes(address));
}

function wordBytes(word: bigint): Uint8Array {
  return bytesFromHex(`0x${word.toString(16).padStart(64, '0')}`);
}

function trimmed(value: bigint): Uint8Array {
  const digits = value.toString(16);
  return bytesFromHex(`0x${digits.length % 2 === 0 ? digits : `0${digits}`}`);
}

/** The fields of a block that the EVM reads. */
const BLOCK_FACE = {
  header: {
    number: BLOCK.number,
    timestamp: BLOCK.timestamp,
    coinbase: evmAddress(COINBASE),
    gasLimit: BLOCK.gasLimit,
    baseFeePerGas: BLOCK.baseFee,
    difficulty: 0x20000n,
    prevRandao: wordBytes(RANDOMNESS),
    getBlobGasPrice: () => 1n,
  },
} as unknown as Block;
