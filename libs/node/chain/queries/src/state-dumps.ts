import type { BlockReference } from '@tetrad/api-node';
import {
  StorageTooLargeError,
  dumpAccounts,
  readStorageRange,
  type StatePage,
  type StorageRange,
  type WorldState,
} from '@tetrad/node-execution';
import { RequestError, type Address } from '@tetrad/types';
import type { BlockResolver } from './block-resolver.js';

/** Accounts of a page, as in geth. */
const MAX_ACCOUNTS = 256;
/** Accounts of a whole dump; larger states are read by pages. */
const MAX_DUMPED_ACCOUNTS = 10_000;
/** Slots of a page. */
const MAX_SLOTS = 1_024;

/** Bounds of one dump. */
export interface DumpLimits {
  /** Slots of all accounts of a page. */
  readonly dumpSlots: number;
  /** Bytes of one answer. */
  readonly answerBytes: number;
}

/** A requested page of accounts, in the order of their hashed addresses. */
export interface AccountRange {
  /** Its start: a prefix of a hashed address; empty for the first page. */
  readonly from: Uint8Array;
  /** Maximum of accounts; 0 or absent for a full page. */
  readonly accounts: number | undefined;
  readonly withCode: boolean;
  readonly withStorage: boolean;
}

/** Lists accounts and storage of a state, in bounded pages. */
export class StateDumps {
  constructor(
    private readonly blocks: BlockResolver,
    private readonly limits: DumpLimits,
  ) {}

  /**
   * Every account with code and storage.
   * @throws RequestError RESPONSE_TOO_LARGE; as `BlockResolver.world`
   */
  async whole(reference: BlockReference, signal: AbortSignal): Promise<StatePage> {
    const everything = { from: new Uint8Array(0), withCode: true, withStorage: true };
    const page = await this.read(reference, { ...everything, accounts: MAX_DUMPED_ACCOUNTS }, signal);
    if (page.next !== undefined)
      throw new RequestError(
        'RESPONSE_TOO_LARGE',
        `the state has more than ${MAX_DUMPED_ACCOUNTS} accounts: read it with debug_accountRange`,
      );
    return page;
  }

  /** @throws RequestError RESPONSE_TOO_LARGE; as `BlockResolver.world` */
  page(reference: BlockReference, range: AccountRange, signal: AbortSignal): Promise<StatePage> {
    const wanted = range.accounts ?? 0;
    const accounts = wanted === 0 ? MAX_ACCOUNTS : Math.min(wanted, MAX_ACCOUNTS);
    return this.read(reference, { ...range, accounts }, signal);
  }

  private async read(
    reference: BlockReference,
    { accounts, ...range }: AccountRange & { readonly accounts: number },
    signal: AbortSignal,
  ): Promise<StatePage> {
    const world = await this.blocks.world(reference);
    const { dumpSlots, answerBytes } = this.limits;
    const bounds = { accounts, slots: dumpSlots, codeBytes: answerBytes / 2 };
    return dumpAccounts(world, { ...range, signal, bounds }).catch(refuseTooLarge);
  }
}

/**
 * A page of an account's storage, in the order of the hashed slots.
 * @param options.from - a prefix of a hashed slot
 * @param options.most - slots at most
 * @throws RequestError STATE_OBJECT_NOT_FOUND
 */
export async function storageRange(
  world: WorldState,
  address: Address,
  { from, most }: { readonly from: Uint8Array; readonly most: number },
): Promise<StorageRange> {
  const range = await readStorageRange(world, address, { from, most: Math.min(most, MAX_SLOTS) });
  if (range === undefined)
    throw new RequestError('STATE_OBJECT_NOT_FOUND', `account ${address} doesn't exist`, { address });
  return range;
}

function refuseTooLarge(error: unknown): never {
  if (error instanceof StorageTooLargeError) throw new RequestError('RESPONSE_TOO_LARGE', error.message);
  throw error;
}
