import { Address as EvmAddress, setLengthLeft } from '@ethereumjs/util';
import type { SimpleStateManager } from '@ethereumjs/statemanager';
import { hexFromBytes } from '@tetrad/types';
import { openOracle } from '../../../../evm/test/fuzz/oracle.js';
import type { Scenario } from '../../../../evm/test/fuzz/random-world.js';
import { runListened } from './run-listened.js';

/** An account in a form that both sides share; null when it does not exist. */
export type DescribedAccount = {
  readonly balance: string;
  readonly nonce: string;
  readonly code: string;
  readonly storage: Readonly<Record<string, string>>;
} | null;

export type DescribedState = Readonly<Record<string, DescribedAccount>>;

const NAMES_ACCOUNT = new Set(['BALANCE', 'EXTCODESIZE', 'EXTCODECOPY', 'EXTCODEHASH', 'SELFDESTRUCT']);
const CALLS = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL']);

/** State that a scenario touches, as its opcodes name it, before and after, from EthereumJS. */
export async function oracleState(
  scenario: Scenario,
  known: readonly string[],
): Promise<{ pre: DescribedState; post: DescribedState; created: ReadonlySet<string> }> {
  const touched = new Map<string, Set<string>>(known.map((address) => [address, new Set()]));
  const created = new Set<string>();
  const touch = (address: string) => {
    const slots = touched.get(address) ?? new Set();
    touched.set(address, slots);
    return slots;
  };
  const after = await runListened(scenario, {
    step({ opcode: { name }, stack, address }) {
      const top = stack.at(-1);
      if (top === undefined) return;
      if (name === 'SLOAD' || name === 'SSTORE') touch(address.toString()).add(digits(top));
      else if (NAMES_ACCOUNT.has(name)) touch(addressOf(top));
      else if (CALLS.has(name) && stack.length >= 5) touch(addressOf(stack.at(-2) as bigint));
    },
    leave({ createdAddress }) {
      if (createdAddress === undefined) return;
      touch(createdAddress.toString());
      created.add(createdAddress.toString());
    },
  });
  const post = await describe(after, touched);
  const { state: before } = await openOracle(scenario.fork, scenario.pre);
  return { pre: await describe(before, touched), post, created };
}

async function describe(
  state: SimpleStateManager,
  touched: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<DescribedState> {
  const described: Record<string, DescribedAccount> = {};
  for (const [address, slots] of touched) {
    const at = new EvmAddress(Buffer.from(address.slice(2), 'hex'));
    const account = await state.getAccount(at);
    if (account === undefined) {
      described[address] = null;
      continue;
    }
    const storage: Record<string, string> = {};
    for (const slot of slots) {
      const value = await state.getStorage(at, Buffer.from(slot, 'hex'));
      storage[`0x${slot}`] = hexFromBytes(setLengthLeft(value, 32));
    }
    const code = hexFromBytes(await state.getCode(at));
    described[address] = { balance: `${account.balance}`, nonce: `${account.nonce}`, code, storage };
  }
  return described;
}

function addressOf(word: bigint): string {
  return `0x${digits(word).slice(-40)}`;
}

function digits(word: bigint): string {
  return word.toString(16).padStart(64, '0');
}
