import { formatUnits } from 'viem/utils';
import { Undecodable, decodeValues } from './decode-values.js';
import { parseParams } from './param.js';

/** Characters of a token's name or symbol that are shown. */
const MAX_TEXT = 60;

/** What a contract answers when it is asked as a token. Nothing checks that it moves what it says. */
export interface Token {
  readonly standard: 'ERC-20' | 'ERC-721' | 'ERC-1155';
  /** Texts of strangers. */
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  /** Digits behind the point, 0 to 255; 0 where the contract does not say. */
  readonly decimals: number;
  /** In the token's smallest unit. */
  readonly totalSupply: bigint | undefined;
}

/** What the calls of a token's functions returned, as hex; undefined for a call that failed. */
export interface TokenAnswers {
  readonly isErc721: string | undefined;
  readonly isErc1155: string | undefined;
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly decimals: string | undefined;
  readonly totalSupply: string | undefined;
}

/**
 * The token that a contract is by its answers. ERC-721 and ERC-1155 say so by ERC-165; an ERC-20 is known by its decimals and its supply.
 * @returns undefined for answers of no token
 */
export function tokenOf(answers: TokenAnswers): Token | undefined {
  const [decimals, supply] = [decode('uint8', answers.decimals), decode('uint256', answers.totalSupply)];
  const standard = standardOf(answers, decimals !== undefined && supply !== undefined);
  if (standard === undefined) return undefined;
  return {
    standard,
    name: decode('string', answers.name)?.slice(0, MAX_TEXT),
    symbol: decode('string', answers.symbol)?.slice(0, MAX_TEXT),
    decimals: standard === 'ERC-20' ? Number(decimals ?? 0) : 0,
    totalSupply: supply === undefined ? undefined : BigInt(supply),
  };
}

function standardOf(
  { isErc721, isErc1155 }: TokenAnswers,
  hasSupply: boolean,
): Token['standard'] | undefined {
  const [one, many] = [isErc721, isErc1155].map((answer) => decode('bool', answer) === 'true');
  // A contract that says yes to everything is neither.
  if (one !== many) return one === true ? 'ERC-721' : 'ERC-1155';
  return hasSupply ? 'ERC-20' : undefined;
}

/** The value of an answer that is the encoding of one such value and nothing more. */
function decode(type: string, answer: string | undefined): string | undefined {
  if (answer === undefined) return undefined;
  try {
    const { values, further } = decodeValues(parseParams([{ type, name: '' }], ''), answer);
    const content = values[0]?.content;
    return further === 0 && typeof content === 'string' ? content : undefined;
  } catch (error) {
    if (error instanceof Undecodable) return undefined;
    throw error;
  }
}

const WHOLE = new Intl.NumberFormat('en');

/**
 * `1,234.5`, with all digits of the amount.
 * @param amount - in the smallest unit
 */
export function tokenAmount(amount: bigint, decimals: number): string {
  const [whole = '0', fraction] = formatUnits(amount, decimals).split('.');
  const digits = WHOLE.format(BigInt(whole));
  return fraction === undefined ? digits : `${digits}.${fraction}`;
}

/** First topics of ERC-20's events: what follows as data is an amount. Source: ERC-20 */
const AMOUNT_EVENTS: ReadonlySet<string> = new Set([
  '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
]);

/** The amount of a log of ERC-20, in the smallest unit; undefined for other logs. */
export function loggedAmount({
  topics,
  data,
}: {
  readonly topics: readonly string[];
  readonly data: string;
}): bigint | undefined {
  const isAmount = AMOUNT_EVENTS.has(topics[0]?.toLowerCase() ?? '') && topics.length === 3;
  return isAmount && /^0x[0-9a-f]{64}$/i.test(data) ? BigInt(data) : undefined;
}
