export type TreeName = 'account' | 'history';

/** The trees as the column has them. */
export const TREES: Readonly<Record<TreeName, number>> = { account: 1, history: 2 };

/** Level 0 holds the leaves. */
export interface TreePosition {
  readonly level: number;
  readonly index: number;
}

export interface TreeWrite extends TreePosition {
  readonly hash: bigint;
}
