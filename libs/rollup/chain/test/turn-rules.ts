import type { Address } from '@tetrad/types';
import { SIZE, TIMEOUT, TURN_BLOCKS, type Header } from './agreeing-rollup.js';

export interface Deposit {
  readonly account: number;
  readonly amount: bigint;
  /** Seconds, of its block. */
  readonly at: number;
}

export interface Request {
  readonly account: number;
  readonly amount: bigint;
  readonly overdueAt: number;
  readonly expiresAt: number;
}

/** Where a batch stands, or would stand. */
export interface Place {
  readonly block: number;
  /** Seconds. */
  readonly time: number;
}

/** What an accepted batch broke; undefined when it broke no rule. */
type Verdict = string | undefined;

/**
 * The game of docs/adr/0215 as an observer keeps it, who knows all deposits and requests: what the contract must refuse, and
 * what it must accept. The contract itself walks through no list.
 */
export class TurnRules {
  /** Not taken yet, in their order. */
  readonly deposits: Deposit[] = [];
  /** Not answered yet; expired ones too. */
  readonly requests: Request[] = [];
  private operatorBlock = 0;
  /** Account of the request, or negative account of the deposit → block of the last batch of others that it allowed. */
  private readonly forced = new Map<number, number>();

  overdueDeposits(time: number): Deposit[] {
    return this.deposits.filter(({ at }) => time >= at + TIMEOUT);
  }

  overdueRequests(time: number): Request[] {
    return this.requests.filter(({ overdueAt, expiresAt }) => time >= overdueAt && time < expiresAt);
  }

  /** Blocks until the operator may submit again while a request is overdue. */
  waitOfOperator({ block }: Place): number {
    return this.operatorBlock + TURN_BLOCKS - block;
  }

  /** The same for others, by a request of the account, or by a deposit for it. */
  waitOfOthers(account: number, by: 'request' | 'deposit', { block }: Place): number {
    const last = this.forced.get(by === 'request' ? account : -account);
    return last === undefined ? 0 : last + TURN_BLOCKS - block;
  }

  /** Takes an accepted batch of the operator. */
  acceptedOfOperator(headers: readonly Header[], place: Place): Verdict {
    const overdue = this.overdueDeposits(place.time).length;
    const taken = this.take(headers).deposits.length;
    const isWaiting = this.overdueRequests(place.time).length > 0;
    const early = this.waitOfOperator(place);
    this.operatorBlock = place.block;
    if (taken < overdue && taken < SIZE / 2) return `the operator left ${overdue - taken} overdue deposits`;
    return isWaiting && early > 0 ? `the operator came ${early} blocks early` : undefined;
  }

  /** Takes an accepted batch of others, which serves at most one thing that is overdue. */
  acceptedOfOthers(headers: readonly Header[], place: Place): Verdict {
    const [overdueDeposits, overdueRequests] = [
      this.overdueDeposits(place.time),
      this.overdueRequests(place.time),
    ];
    const { deposits, answered } = this.take(headers);
    const request = answered.find((one) => overdueRequests.includes(one));
    const deposit = deposits.find((one) => overdueDeposits.includes(one));
    const served = request?.account ?? (deposit && -deposit.account);
    if (served === undefined) return 'others had a batch that serves nothing overdue';
    const early = this.waitOfOthers(Math.abs(served), served > 0 ? 'request' : 'deposit', place);
    this.forced.set(served, place.block);
    return early > 0 ? `others came ${early} blocks early by ${served}` : undefined;
  }

  private take(headers: readonly Header[]) {
    const deposits = this.deposits.splice(0, headers.filter(({ kind }) => kind === 'deposit').length);
    const answered: Request[] = [];
    for (const { kind, account, amount } of headers) {
      if (kind !== 'transfer') continue;
      const found = this.requests.findIndex((one) => one.account === account && one.amount === amount);
      if (found !== -1) answered.push(...this.requests.splice(found, 1));
    }
    return { deposits, answered };
  }
}

/** The header of a transfer that answers the request. */
export function answerTo(
  { account, amount }: Pick<Request, 'account' | 'amount'>,
  recipient: Address,
): Header {
  return { kind: 'transfer', account, amount, recipient };
}

/** The header that takes the deposit. */
export function takingOf({ account, amount }: Deposit): Header {
  return { kind: 'deposit', account, amount };
}
