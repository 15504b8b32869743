/** What an account of a token has. */
interface Holding {
  readonly address: string;
  readonly balance: bigint | undefined;
}

/** Accounts of several pages, and what they have together. */
export interface Holdings<Row extends Holding> {
  /** Once each, those with the most first; without those that have nothing. */
  readonly holders: readonly Row[];
  /** Accounts that were named, with those that have nothing. */
  readonly named: number;
  readonly sum: bigint;
}

/**
 * Joins pages of accounts. An account that several name is as the first has it, whose transfer is the newest.
 * @param pages - those first that moved the token last
 */
export function joinHoldings<Row extends Holding>(pages: readonly (readonly Row[])[]): Holdings<Row> {
  const byAddress = new Map<string, Row>();
  for (const row of pages.flat()) if (!byAddress.has(row.address)) byAddress.set(row.address, row);
  const holders = [...byAddress.values()].filter(({ balance }) => balance !== 0n);
  holders.sort((one, other) => compare(other.balance ?? -1n, one.balance ?? -1n));
  const sum = holders.reduce((total, { balance = 0n }) => total + balance, 0n);
  return { holders, named: byAddress.size, sum };
}

function compare(one: bigint, other: bigint): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/**
 * `12.34%`, cut and not rounded, so that a part is never called the whole; undefined without a whole.
 * @param whole - of which `part` is a share
 */
export function shareOf(part: bigint, whole: bigint | undefined): string | undefined {
  if (whole === undefined || whole === 0n) return undefined;
  const hundredths = (part * 10_000n) / whole;
  const fraction = (hundredths % 100n).toString().padStart(2, '0');
  return `${hundredths / 100n}.${fraction}%`;
}
