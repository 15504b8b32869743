import { encodeWord } from '@tetrad/rollup-crypto';
import { OperatorError, hashFromBytes, parseHash, type Address, type Hash } from '@tetrad/types';
import { eventsOf, type EventRange } from '../chain/event-pages.js';
import { RollupContract, type RollupToken } from '../chain/rollup-contract.js';
import { rollupTokens } from '../chain/rollup-tokens.js';
import type { MoveStart } from './move-file.js';

/** Token → base units, the zero address for ether. */
export type Amounts = ReadonlyMap<Address, bigint>;

/** What a move has done up to a block, by the events of the contracts. */
export interface MovedTotals {
  /** Paid out of the rollup that is left to the address. */
  readonly arrived: Amounts;
  /** Successor → what the address has deposited into it. */
  readonly deposited: ReadonlyMap<Address, Amounts>;
}

/** Blocks before the beginning in which a deposit of the move may be after a reorganization. */
const REORGANIZED_BLOCKS = 256;

/**
 * Counts what was paid to an address and what it deposited since the move began. All of it counts, whichever process asked for it:
 * then no order of interruptions has more deposited than was paid.
 *
 * A client that has the state of a block and not yet its events would have a deposit sent twice. So the events of deposits must be
 * those of all indexes up to the number of them in the state of the block.
 *
 * @param contract - the rollup that is left
 * @param start - of the move
 * @param at - owner: the address; block: the last block that counts
 * @returns sums in base units; undefined while events are missing
 * @throws OperatorError for an event that cannot be read; as `eventsOf` and `RollupContract.open`
 */
export async function readMovedTotals(
  contract: RollupContract,
  { successors, block: before }: Pick<MoveStart, 'block' | 'successors'>,
  at: { readonly owner: Address; readonly block: number },
): Promise<MovedTotals | undefined> {
  const { owner, block: toBlock } = at;
  const deposited = new Map<Address, Amounts>();
  for (const { address, firstDeposit } of successors) {
    const successor = await RollupContract.open(contract.client, address);
    const fromBlock = Math.max(0, before - REORGANIZED_BLOCKS);
    const amounts = await depositsBy(successor, { owner, firstDeposit, fromBlock, toBlock });
    if (amounts === undefined) return undefined;
    deposited.set(address, amounts);
  }
  return { arrived: await paymentsTo(contract, owner, { fromBlock: before + 1, toBlock }), deposited };
}

/**
 * What arrived and was not deposited anywhere.
 *
 * @param totals - of a move
 * @param token - by address
 * @returns base units, 0 or more
 */
export function atAddress({ arrived, deposited }: MovedTotals, token: Address): bigint {
  const gone = [...deposited.values()].reduce((sum, amounts) => sum + (amounts.get(token) ?? 0n), 0n);
  const left = (arrived.get(token) ?? 0n) - gone;
  return left > 0n ? left : 0n;
}

async function paymentsTo(contract: RollupContract, recipient: Address, range: EventRange): Promise<Amounts> {
  const topics = [topicOf(contract, 'OutboundTransferPaid'), hashFromBytes(encodeWord(BigInt(recipient)))];
  const sums = new Sums(await rollupTokens(contract));
  for await (const log of eventsOf(contract, topics, range)) {
    const event = contract.codec.parseLog(log);
    if (event?.kind !== 'paid') throw new OperatorError('an event of a payment cannot be read');
    sums.add(event.tokenId, event.amount);
  }
  return sums.amounts;
}

/** @returns undefined while events are missing */
async function depositsBy(
  successor: RollupContract,
  { owner, firstDeposit, ...range }: EventRange & { readonly owner: Address; readonly firstDeposit: number },
): Promise<Amounts | undefined> {
  const count = Number(await successor.read('depositCount', [], range.toBlock));
  const sums = new Sums(await rollupTokens(successor));
  const seen = new Set<number>();
  for await (const log of eventsOf(successor, [topicOf(successor, 'InboundTransferRegistered')], range)) {
    const event = successor.codec.parseLog(log);
    if (event?.kind !== 'inbound') throw new OperatorError('an event of a deposit cannot be read');
    if (event.index < firstDeposit) continue;
    seen.add(event.index);
    if (event.from === owner) sums.add(event.tokenId, event.amount);
  }
  return seen.size === Math.max(0, count - firstDeposit) ? sums.amounts : undefined;
}

const topicOf = ({ codec }: RollupContract, name: string): Hash =>
  parseHash(String(codec.abi.getEvent(name)?.topicHash));

/** Units of a rollup as base units of its tokens: two rollups may have other units and ids of one token. */
class Sums {
  readonly amounts = new Map<Address, bigint>();

  constructor(private readonly tokens: readonly RollupToken[]) {}

  add(tokenId: number, units: bigint): void {
    const token = this.tokens[tokenId];
    if (token === undefined)
      throw new OperatorError(`an event is of token ${tokenId}, which the rollup does not have`);
    this.amounts.set(token.address, (this.amounts.get(token.address) ?? 0n) + units * token.unit);
  }
}
