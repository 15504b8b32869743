import type { AccessListEntry, Address } from '@tetrad/types';
import type { Hooks } from '../interpreter/hooks.js';
import { delegationOf } from '../opcodes/delegation.js';
import { wordFromAddress, wordFromHash, type Word } from '../word/word.js';
import type { Account } from '../world/account.js';
import type { World } from '../world/world.js';
import { Progress } from './drive.js';

/** The accounts with which a message starts; all of it is in memory. */
export interface Participants {
  readonly sender: Account;
  readonly coinbase: Account;
  /** The account that is paid for gas. */
  readonly feeRecipient: Account;
  /** undefined for a creation. */
  readonly target: Account | undefined;
}

/** Accounts and slots that a message is known to need before it runs. */
export interface Request {
  readonly sender: Address;
  readonly to?: Address | undefined;
  readonly coinbase: Word;
  /** The coinbase when absent. */
  readonly feeRecipient?: Word | undefined;
  readonly accessList: readonly AccessListEntry[];
}

/** Fetches everything that is known to be needed in one set, and codes, whose hashes are in the accounts, in a second one. */
export async function prepare(world: World, request: Request, hooks?: Hooks): Promise<Participants> {
  const progress = new Progress();
  for (;;) {
    const found = find(world, request, hooks);
    if (found !== undefined && !world.journal.hasMissing) return found;
    progress.assert({ frame: undefined, journal: world.journal });
    await world.journal.fetch();
  }
}

/**
 * Fetches everything that several messages are known to need in one set, and their codes in a second one. Further data is
 * fetched when they run.
 */
export async function prefetch(world: World, requests: readonly Request[], hooks?: Hooks): Promise<void> {
  for (let round = 0; round < 2; round++) {
    for (const request of requests) find(world, request, hooks);
    if (!world.journal.hasMissing) return;
    await world.journal.fetch();
  }
}

function find(world: World, request: Request, hooks: Hooks | undefined): Participants | undefined {
  const accountOf = (address: Word) =>
    hooks?.accountOf === undefined ? world.account(address) : hooks.accountOf(address, world);
  const sender = world.account(wordFromAddress(request.sender));
  const coinbase = world.account(request.coinbase);
  const feeRecipient = world.account(request.feeRecipient ?? request.coinbase);
  const target = request.to === undefined ? undefined : accountOf(wordFromAddress(request.to));
  for (const account of [sender, target]) findCode(account, accountOf);
  for (const { address, storageKeys } of request.accessList) {
    const account = accountOf(wordFromAddress(address));
    if (account === undefined) continue;
    for (const key of storageKeys) account.world.slot(account, wordFromHash(key));
  }
  if (sender === undefined || coinbase === undefined || feeRecipient === undefined) return undefined;
  return { sender, coinbase, feeRecipient, target };
}

function findCode(account: Account | undefined, accountOf: (address: Word) => Account | undefined): void {
  if (account === undefined) return;
  const code = account.world.code(account);
  const delegate = code === undefined ? undefined : delegationOf(code);
  const delegated = delegate === undefined ? undefined : accountOf(delegate);
  delegated?.world.code(delegated);
}
