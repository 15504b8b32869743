import type { Address, Hex } from '@tetrad/types';
import type { RunningNode } from '../running-node.js';

/** In the genesis files of chains that are joined. */
export const STORE = `0x${'c0'.repeat(20)}` as Address;
export const VALIDATOR_CONTRACT = `0x${'c1'.repeat(20)}` as Address;

export const word = (value: number | string): string =>
  (typeof value === 'number' ? value.toString(16) : value.slice(2)).padStart(64, '0');

/** Two words as input store the second one in the slot that the first one names, with a log; one word asks for its slot. */
const STORE_CODE = '0x36604014601357600035546000526020' + '6000f35b602035600035556000356020' + '6000a100';
/** As above, without a log; any other input is answered with the words of slots 0 on, two more than slot 1 says. */
const VALIDATOR_CODE =
  '0x3660401460255760005b80548160200252600101806001546002011160095760200260' + '00f35b6020356000355500';

type Account = Readonly<Record<string, unknown>>;

/** A genesis file with both contracts; the second one names the validators. */
export function withContracts(genesis: object, validators: readonly Address[]): object {
  const { alloc } = genesis as { readonly alloc: Readonly<Record<string, Account>> };
  const words = [word(32), word(validators.length), ...validators.map(word)];
  const storage = Object.fromEntries(words.map((value, slot) => [`0x${word(slot)}`, `0x${value}`]));
  const added: Readonly<Record<string, Account>> = {
    [STORE]: { balance: '0x0', code: STORE_CODE },
    [VALIDATOR_CONTRACT]: { balance: '0x0', code: VALIDATOR_CODE, storage },
  };
  return { ...genesis, alloc: { ...alloc, ...added } };
}

/** Stores a word, and sees it mined. */
export async function store(
  node: RunningNode,
  to: Address,
  slot: number,
  value: number | string,
): Promise<void> {
  const [from] = node.accounts;
  const data: Hex = `0x${word(slot)}${word(value)}`;
  const hash = await node.result<string>('eth_sendTransaction', [{ from, to, data, gas: '0x30d40' }]);
  const { status } = await node.mined(hash);
  if (status !== '0x1') throw new Error(`slot ${slot} was not stored`);
}

/** Transactions of several kinds: contracts that are created and called, slots that are changed and cleared, transfers. */
export async function transact(node: RunningNode, rounds: number): Promise<void> {
  const [from, to] = node.accounts;
  for (let round = 0; round < rounds; round++) {
    await store(node, STORE, round % 5, round % 3);
    const hash = await node.result<string>('eth_sendTransaction', [
      { from, to, value: '0x7', gas: '0x5208' },
    ]);
    await node.mined(hash);
  }
  const data = `0x600b600c600039600b6000f3${STORE_CODE.slice(2, 24)}`;
  await node.mined(await node.result<string>('eth_sendTransaction', [{ from, data, gas: '0x30d40' }]));
}
