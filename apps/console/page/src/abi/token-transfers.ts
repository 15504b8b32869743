import type { Log } from '../api/shapes.js';
import { Undecodable, decodeValues, type Value } from './decode-values.js';
import { parseParams } from './param.js';

/** First topics. Sources: ERC-20 and ERC-721 (the same event, with the third value in the data or in a topic), ERC-1155 */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62';
const BATCH = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb';

/** What a token says that it moved; nothing checks that it did. */
export interface Transfer {
  /** Address of the token's contract. */
  readonly token: string;
  /** The zero address where the token came into being. */
  readonly from: string;
  /** The zero address where the token ceased to be. */
  readonly to: string;
  /** In the smallest unit; undefined for ERC-721, which moves one. */
  readonly amount: bigint | undefined;
  /** Undefined for ERC-20. */
  readonly id: bigint | undefined;
}

/** Token transfers in the logs, in order. Skips logs that are not encoded as their standard requires. */
export const transfersOf = (logs: readonly Log[]): readonly Transfer[] => logs.flatMap(transfersIn);

function transfersIn({ address: token, topics, data }: Log): readonly Transfer[] {
  const [event, ...values] = topics;
  const last = addressIn(values[2]);
  if (event === TRANSFER && values.length === 2) {
    const amount = wordsIn(data, 1)?.[0];
    return amount === undefined ? [] : partiesOf(values, { token, amount, id: undefined });
  }
  if (event === TRANSFER && values.length === 3 && data === '0x')
    return partiesOf(values, { token, amount: undefined, id: BigInt(values[2] ?? 0) });
  if (last === undefined || values.length !== 3) return [];
  if (event === SINGLE) {
    const [id, amount] = wordsIn(data, 2) ?? [];
    return amount === undefined ? [] : partiesOf(values.slice(1), { token, amount, id });
  }
  if (event !== BATCH) return [];
  return pairsIn(data).flatMap(([id, amount]) => partiesOf(values.slice(1), { token, amount, id }));
}

function partiesOf(
  [first, second]: readonly string[],
  what: Pick<Transfer, 'token' | 'amount' | 'id'>,
): readonly Transfer[] {
  const [from, to] = [addressIn(first), addressIn(second)];
  return from === undefined || to === undefined ? [] : [{ ...what, from, to }];
}

/** The address in a topic; undefined for other words. */
const addressIn = (topic: string | undefined): string | undefined =>
  topic !== undefined && /^0x0{24}[0-9a-f]{40}$/i.test(topic)
    ? `0x${topic.slice(26).toLowerCase()}`
    : undefined;

function wordsIn(data: string, count: number): readonly bigint[] | undefined {
  if (data.length !== 2 + 64 * count) return undefined;
  return Array.from({ length: count }, (_, at) => BigInt(`0x${data.slice(2 + 64 * at, 66 + 64 * at)}`));
}

/** Ids with their amounts. */
function pairsIn(data: string): readonly (readonly [bigint, bigint])[] {
  try {
    const [ids, amounts] = decodeValues(parseParams(BATCH_PARAMS, ''), data).values.map(numbersOf);
    if (ids === undefined || ids.length !== amounts?.length) return [];
    return ids.map((id, at) => [id, amounts[at] ?? 0n]);
  } catch (error) {
    if (error instanceof Undecodable) return [];
    throw error;
  }
}

const BATCH_PARAMS = ['ids', 'values'].map((name) => ({ type: 'uint256[]', name }));

const numbersOf = ({ content }: Value): readonly bigint[] =>
  typeof content === 'string' ? [] : content.map((one) => BigInt(String(one.content)));
