import {
  NO_CONSENT,
  ciphertextWords,
  operationHash,
  totalIndex,
  type AccountCreation,
  type MoneyOrder,
} from '@tetrad/rollup-crypto';
import { accountHash, type Account } from '@tetrad/rollup-state';
import type {
  ExecutedOperation,
  ExecutionWrite,
  OpaquePlace,
  PublicPlace,
  Registration,
  SequenceStep,
  StoredOperation,
} from '@tetrad/rollup-store';
import type { AdoptionKeys } from './adopt-batch.js';
import { accountAfter, readPlace } from './read-place.js';

/**
 * Gives registrations the accounts that batches of others have created with these keys already: their places are read again,
 * as far as that goes. An account whose later places stay unreadable gets its keys and stays opaque.
 *
 * Registrations whose text has made another account are rejected: the contract takes no batch with them.
 *
 * @returns the operations that are left
 */
export async function reopenAccounts(
  step: SequenceStep,
  operations: readonly StoredOperation[],
  keys: AdoptionKeys,
): Promise<StoredOperation[]> {
  const registrations = new Registrations(operations.filter(isRegistration));
  const reopened = new Set<StoredOperation>();
  const places = await step.opaqueCreations(registrations.asked);
  const finalHeight = await step.finalHeight();
  for (const place of places) {
    for (const stored of registrations.thatMayBe(place)) {
      const account = reopened.has(stored) ? undefined : createdAccount(stored, place, keys);
      if (account === undefined) continue;
      const later = (await step.opaqueHistory(place.accountId)).slice(1);
      // A batch of ours may be taken back, and what was forgotten of it is not there again then.
      if (later.every(({ batchHeight }) => batchHeight <= finalHeight))
        await reopen(step, { place, stored, account, later }, keys);
      reopened.add(stored);
      break;
    }
  }
  const used = registrations.withTextsOf(places).filter((stored) => !reopened.has(stored));
  await step.rejectRegistrations(used);
  const gone = new Set([...reopened, ...used]);
  return operations.filter((stored) => !gone.has(stored));
}

type StoredRegistration = StoredOperation & { readonly operation: AccountCreation };

const isRegistration = (stored: StoredOperation): stored is StoredRegistration =>
  stored.operation.kind === 'createAccount';

/** Anyone can register with a text that is on the chain: so many are compared with a place, by hashing. */
const MAX_ALIKE = 16;

/** As Rollup.sol: words of a text that names the key of the account. */
const FULL_TEXT = 5n;

/** Registrations by what a creation on the chain shows of itself. */
class Registrations {
  private readonly byText = new Map<string, StoredRegistration[]>();
  private readonly byFactor = new Map<bigint, StoredRegistration[]>();
  readonly asked: readonly Registration[];

  constructor(all: readonly StoredRegistration[]) {
    this.asked = all.map(({ operation: { ciphertext, blindingFactor } }) => ({
      words: ciphertextWords(ciphertext),
      blindingFactor,
    }));
    for (const [index, { words, blindingFactor }] of this.asked.entries()) {
      addTo(this.byText, words.join(), all[index] as StoredRegistration);
      addTo(this.byFactor, blindingFactor, all[index] as StoredRegistration);
    }
  }

  /** Those with a text that the contract has seen, and takes once; shorter texts do not say whose account it is. */
  withTextsOf(places: readonly OpaquePlace[]): readonly StoredOperation[] {
    const isFull = ({ words: [count] }: OpaquePlace) => count === FULL_TEXT;
    return places.filter(isFull).flatMap(({ words }) => this.byText.get(words.join()) ?? []);
  }

  thatMayBe({ words, blindingFactor }: OpaquePlace): readonly StoredRegistration[] {
    const alike = blindingFactor === undefined ? undefined : this.byFactor.get(blindingFactor);
    return [...(alike ?? []), ...(this.byText.get(words.join()) ?? [])];
  }
}

function addTo<Key>(map: Map<Key, StoredRegistration[]>, key: Key, stored: StoredRegistration): void {
  const alike = map.get(key) ?? [];
  if (alike.length < MAX_ALIKE) alike.push(stored);
  map.set(key, alike);
}

/** The account as the place left it; undefined when the registration is of another one. */
function createdAccount(
  { operation }: StoredRegistration,
  { accountId: id, leaf }: PublicPlace,
  { hasConsents }: AdoptionKeys,
): Account | undefined {
  const { publicKey, jointKey, blindingFactor } = operation;
  const account = {
    id,
    publicKey,
    jointKey,
    blindingFactor,
    nonce: 0,
    redemptionIndex: 0,
    balances: new Map(),
    ...(hasConsents ? { consent: NO_CONSENT } : {}),
  };
  return accountHash(account) === leaf ? account : undefined;
}

interface Reopening {
  /** Place of the creation. */
  readonly place: PublicPlace;
  readonly stored: StoredOperation;
  readonly account: Account;
  /** Places of the account after it. */
  readonly later: readonly PublicPlace[];
}

async function reopen(
  step: SequenceStep,
  { place, stored, account, later }: Reopening,
  keys: AdoptionKeys,
): Promise<void> {
  const { accountId, batchHeight } = place;
  const replay: Replay = {
    account,
    executed: [executedAt(place, stored)],
    redeemed: [],
    credits: [],
    read: [place],
  };
  for (const next of later) {
    const row = await nextOf(step, next, { before: replay.account, keys });
    if (row === undefined) break;
    follow(replay, next, row);
  }
  const isOpen = replay.read.length === later.length + 1;
  const last = later.at(-1) ?? place;
  const { executed, redeemed, credits } = replay;
  const created = [{ publicKey: account.publicKey, id: accountId, createdHeight: batchHeight }];
  const versions = isOpen ? [{ ...replay.account, batchHeight: last.batchHeight }] : [];
  await step.execute({ ...NOTHING, executed, redeemed, credits, created, versions }, step.head);
  await step.removeOpaque(replay.read);
}

/** How far the places of an account have been read again. */
interface Replay {
  account: Account;
  readonly executed: ExecutedOperation[];
  readonly redeemed: ExecutionWrite['redeemed'][number][];
  readonly credits: ExecutionWrite['credits'][number][];
  readonly read: PublicPlace[];
}

interface NextPlace {
  readonly after: Account;
  /** Undefined where no row can hold the operation. */
  readonly stored: StoredOperation | undefined;
  /** What came by a credit. */
  readonly credited?: MoneyOrder | undefined;
}

function follow(replay: Replay, place: PublicPlace, { after, stored, credited }: NextPlace): void {
  replay.account = after;
  replay.read.push(place);
  const { batchHeight, batchIndex } = place;
  if (credited !== undefined)
    replay.credits.push({ totalIndex: totalIndex(batchHeight, batchIndex), batchHeight, order: credited });
  if (stored === undefined) return;
  replay.executed.push(executedAt(place, stored));
  const { operation } = stored;
  if (operation.kind !== 'redeemMoneyOrder') return;
  replay.redeemed.push({ totalIndex: operation.totalIndex, batchHeight, order: operation.order });
}

function executedAt(place: PublicPlace, { sequence, operation }: StoredOperation): ExecutedOperation {
  const { accountId, batchHeight, batchIndex } = place;
  const made = place.kind === 'createMoneyOrder' ? totalIndex(batchHeight, batchIndex) : undefined;
  const index = operation.kind === 'redeemMoneyOrder' ? operation.totalIndex : made;
  return { sequence, accountId, totalIndex: index, batchHeight, batchIndex };
}

/** The operation at a place after the creation; undefined when it cannot be read. */
async function nextOf(
  step: SequenceStep,
  place: PublicPlace,
  { before, keys }: { readonly before: Account; readonly keys: AdoptionKeys },
): Promise<NextPlace | undefined> {
  const { operatorSecrets, domain, hasConsents } = keys;
  const consentDomain = hasConsents ? domain : undefined;
  const made = await step.executedAt(place);
  // Its row says already where it is: the holder asked the contract for it.
  if (made !== undefined) {
    const after = await accountAfter(step, place, { before, operation: made.operation, consentDomain });
    return after && { after, stored: undefined };
  }
  const { after, stored, operation, credit } = await readPlace(step, place, {
    before,
    operatorSecrets,
    consentDomain,
    isTaken: () => false,
    isKeyTaken: async () => false,
  });
  if (after === undefined) return undefined;
  if (operation === undefined) return { after, stored, credited: credit?.order };
  return { after, stored: await step.addAdopted({ hash: operationHash(domain, operation), operation }) };
}

const NOTHING: ExecutionWrite = {
  executed: [],
  rejected: [],
  waiting: [],
  deposits: [],
  created: [],
  versions: [],
  opaque: [],
  orders: [],
  redeemed: [],
  credits: [],
  batches: [],
};
