import type { OptionType } from '@tetrad/service';

/** How many blocks before the one that was joined at are filled in. */
export type HistoryWanted = number | 'none' | 'all';

const MAX_BLOCKS = 1_000_000_000_000;

/** `none`, `all`, or a number of blocks. */
export function historyOption(): OptionType<HistoryWanted> {
  return {
    placeholder: 'none|N|all',
    toml: 'integer',
    format: String,
    parse(text) {
      if (text === 'none' || text === 'all') return text;
      const blocks = /^\d{1,13}$/.test(text) ? Number(text) : 0;
      if (blocks < 1 || blocks > MAX_BLOCKS)
        throw new RangeError(`must be none, all, or a number of blocks from 1 to ${MAX_BLOCKS}`);
      return blocks;
    },
  };
}

/**
 * The lowest block that is filled in on a node that joined at the block; undefined where none is.
 * @param joined - undefined where every block was executed
 */
export function lowestWanted(wanted: HistoryWanted, joined: number | undefined): number | undefined {
  if (wanted === 'none' || joined === undefined) return undefined;
  return wanted === 'all' ? 1 : Math.max(1, joined - wanted + 1);
}
