import {
  ChainRpcError,
  ChainUnavailableError,
  callerText,
  causeText,
  findAnnouncement,
  freezeText,
  readFreeze,
  type FrozenContract,
} from '@tetrad/rollup-chain';
import type { RollupStore } from '@tetrad/rollup-store';
import type { Logger } from '@tetrad/types';
import type { AnnouncedFreeze } from './announced-freezes.js';

export interface CallerParts extends FrozenContract {
  /** The block of the contract's creation, or an earlier one. */
  readonly fromBlock: number;
  readonly store: Pick<RollupStore, 'findFrozen'>;
  readonly logger?: Logger | undefined;
}

/** What the contract said at a block. */
interface SeenFreezes {
  readonly block: number;
  /** The first that can be made first. */
  readonly announced: readonly AnnouncedFreeze[];
  readonly isFrozen: boolean;
}

/** Finds who announced a freeze, or froze the contract, and logs it: for people, nothing depends on it. */
export class FreezeCallers {
  /** What was looked for last, and what was found. */
  private last: { readonly of: string; readonly text: string | undefined } | undefined;

  constructor(private readonly parts: CallerParts) {}

  /**
   * Of the freeze, or of the announced one that can be made first. Each is looked for once.
   *
   * @param seen - what the contract said
   * @returns a sentence without its end; undefined where nothing is announced, and while it is not known
   * @throws as the database
   */
  async textOf(seen: SeenFreezes): Promise<string | undefined> {
    const [first] = seen.announced;
    if (!seen.isFrozen && first === undefined) return undefined;
    const of = seen.isFrozen || first === undefined ? 'frozen' : keyOf(first);
    if (this.last?.of === of) return this.last.text;
    const frozen = seen.isFrozen ? await this.parts.store.findFrozen() : undefined;
    // The rows have a freeze only when its block counts.
    if (seen.isFrozen && frozen === undefined) return undefined;
    try {
      const text = await (frozen === undefined
        ? this.announcer(first as AnnouncedFreeze, seen.block)
        : this.freezer(frozen.blockNumber));
      this.found(of, text);
      return text;
    } catch (error) {
      if (error instanceof ChainRpcError) this.found(of, undefined);
      else if (!(error instanceof ChainUnavailableError)) throw error;
      return undefined;
    }
  }

  private found(of: string, text: string | undefined): void {
    this.last = { of, text };
    if (text !== undefined) this.parts.logger?.warn('who ends the rollup', { text });
  }

  private async announcer({ by, announcedAt }: AnnouncedFreeze, to: number): Promise<string | undefined> {
    const { fromBlock } = this.parts;
    const announced = { cause: by, atSeconds: announcedAt };
    const caller = await findAnnouncement(this.parts, announced, { from: fromBlock, to });
    return caller && `${callerText(caller)} announced it`;
  }

  private async freezer(block: number): Promise<string | undefined> {
    const { client, codec, contract, fromBlock } = this.parts;
    const [log] = await client.logs(contract, { from: block, to: block }, [codec.frozenTopic]);
    const history = log && (await readFreeze({ client, codec, contract }, log.transactionHash, fromBlock));
    return history && freezeText(history);
  }
}

const keyOf = ({ by, announcedAt }: AnnouncedFreeze): string => `${causeText(by)} at ${announcedAt}`;
