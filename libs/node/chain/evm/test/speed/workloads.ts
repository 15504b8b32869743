import { loadToken } from '@tetrad/testkit';
import { bytesFromHex, hexFromBytes, type Address } from '@tetrad/types';
import {
  CodeCache,
  Journal,
  World,
  addressFromWord,
  executeCall,
  MemorySource,
  type CallRequest,
  type PreState,
} from '../../src/index.js';
import { FUZZ_BLOCK } from '../fuzz/own-run.js';
import { assemble } from './assemble.js';

/** A contract and a message to it. */
export interface Workload {
  readonly name: string;
  readonly pre: PreState;
  readonly request: CallRequest;
  /** How many times as fast as EthereumJS it is to be. */
  readonly target: number;
}

export const CALLER = addressFromWord(2n ** 158n + 7n);
const CONTRACT = addressFromWord(0xc0den);
const GAS = 30_000_000;

/** A loop of `rounds` rounds; the body must leave the stack unchanged, with the counter on top. */
const loop = (rounds: number, body: string) =>
  assemble(`${rounds} round: ${body} 1 SWAP1 SUB DUP1 @round JUMPI STOP`);

function contract(
  name: string,
  code: Uint8Array,
  target: number,
  storage: Record<string, string> = {},
): Workload {
  return {
    name,
    target,
    pre: {
      [CALLER]: { balance: '0xffffffffff' },
      [CONTRACT]: { nonce: '0x1', code: hexFromBytes(code), storage },
    },
    request: requestTo(CONTRACT, new Uint8Array(0), GAS),
  };
}

function requestTo(to: Address, data: Uint8Array, gas: number): CallRequest {
  return { from: CALLER, to, gas, gasPrice: 0n, value: 0n, data, accessList: [] };
}

/** x → x * 1664525 + 1013904223 mod 2^32, and a bit of it. */
const COMPUTE = `
  0 3000 round:
  SWAP1 1664525 MUL 1013904223 ADD 0xffffffff AND DUP1 7 SHR XOR DUP1 3 LT POP SWAP1
  1 SWAP1 SUB DUP1 @round JUMPI STOP`;

/** Fills 60 words with a falling row and sorts them by insertion, in place. */
const SORT = `
  60 fill: DUP1 DUP1 32 MUL 60 DUP3 MUL 7919 ADD 257 SWAP1 MOD SWAP1 MSTORE POP 1 SWAP1 SUB DUP1 @fill JUMPI POP
  59 outer: 1
  inner: DUP1 32 MUL MLOAD DUP2 1 ADD 32 MUL MLOAD
  DUP2 DUP2 LT ISZERO @keep JUMPI
  DUP3 32 MUL MSTORE DUP2 1 ADD 32 MUL MSTORE @next JUMP
  keep: POP POP
  next: 1 ADD DUP1 60 SWAP1 LT @inner JUMPI POP
  1 SWAP1 SUB DUP1 @outer JUMPI STOP`;

/** The field of bn254. */
const PRIME = '0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47';
const MODULAR = `
  0x2523648240000001ba344d80000000086121000000000013a700000000000013 500 round:
  SWAP1 ${PRIME} DUP2 DUP1 MULMOD ${PRIME} SWAP1 DUP3 ADDMOD SWAP1 POP SWAP1
  1 SWAP1 SUB DUP1 @round JUMPI STOP`;

export async function workloads(): Promise<Workload[]> {
  return [
    await tokenTransfer(),
    contract('compute loop', assemble(COMPUTE), 10),
    contract('storage loop', loop(200, 'DUP1 SLOAD 1 ADD DUP2 SSTORE'), 20, { '0x5': '0x7' }),
    contract('keccak loop', loop(500, 'DUP1 0 MSTORE 64 0 KECCAK256 32 MSTORE'), 10),
    contract('sorting in memory', assemble(SORT), 10),
    contract('256-bit modular arithmetic', assemble(MODULAR), 3),
  ];
}

/** The ERC-20 token of the other benchmarks; the caller has deployed it and sends one unit to a new holder. */
async function tokenTransfer(): Promise<Workload> {
  const recipient = '22'.repeat(20);
  const data = bytesFromHex(`0xa9059cbb${word(BigInt(`0x${recipient}`))}${word(1n)}`);
  return {
    name: 'token transfer',
    target: 20,
    pre: { [CALLER]: { balance: '0xffffffffff' }, [CONTRACT]: await deployedToken() },
    request: requestTo(CONTRACT, data, 100_000),
  };
}

/** Runs the constructor and takes what it left. */
async function deployedToken(): Promise<PreState[string]> {
  const { bytecode } = await loadToken();
  const text = word(1n) + 'T'.charCodeAt(0).toString(16).padEnd(64, '0');
  const parameters = word(0x60n) + word(0xa0n) + word(10n ** 18n) + text + text;
  const source = new MemorySource({ [CALLER]: {} });
  const world = new World(source, new Journal(), new CodeCache());
  const context = { fork: 'osaka', block: FUZZ_BLOCK, precompiles: { of: () => new Map() } } as const;
  const request = { ...requestTo(CONTRACT, bytesFromHex(bytecode + parameters), GAS), to: undefined };
  await executeCall(context, request, world);
  const token = world.changes().find(({ code }) => code !== undefined);
  if (token?.code === undefined) throw new Error('the token was not deployed');
  const storage = token.slots.map(({ slot, value }) => [`0x${slot.toString(16)}`, `0x${value.toString(16)}`]);
  return { nonce: '0x1', code: hexFromBytes(token.code.bytes), storage: Object.fromEntries(storage) };
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}
