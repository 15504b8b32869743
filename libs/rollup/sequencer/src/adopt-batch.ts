import { ciphertextFromWords, operationHash, type Point } from '@tetrad/rollup-crypto';
import type { Account, RecoverableBatch } from '@tetrad/rollup-state';
import type { BatchChange, OpaquePlace, PublicPlace, SequenceStep } from '@tetrad/rollup-store';
import { assembleAdopted } from './assemble-adopted.js';
import { BatchSizes } from './batch-sizes.js';
import { ExecutionPlan } from './execution-plan.js';
import { changesAccount, placesOf } from './public-places.js';
import { readPlace, type Reading } from './read-place.js';
import { saidBlindingFactor } from './read-text.js';
import { UnreadableBatchError } from './assembly.js';

export interface AdoptionKeys {
  readonly domain: bigint;
  /** Secrets of the operator's half of joint keys, the present one first; none without its key file. */
  readonly operatorSecrets: readonly bigint[];
  /** Whether the contract has consents: leaves have a word for them then. */
  readonly hasConsents: boolean;
}

/** A batch that is final on the chain, and where it is there. */
export interface FinalBatch extends RecoverableBatch {
  readonly at: Required<Pick<BatchChange, 'blockNumber' | 'blockHash' | 'transactionHash'>>;
}

/**
 * Replaces our own batches from its height on by a batch that the chain accepted; their operations are pending again. Every
 * batch that circuit and contract accept is adopted: unreadable parts are kept as hashes (docs/adr/0155).
 * @param batch - after the last final one; its deposits are in the rows
 * @throws UnreadableBatchError; RollupStoreError when the batch is final here
 */
export async function adoptBatch(step: SequenceStep, batch: FinalBatch, keys: AdoptionKeys): Promise<void> {
  await step.rewind(batch.height);
  if (step.head.assembledHeight !== batch.height - 1)
    throw new UnreadableBatchError(`batch ${step.head.assembledHeight + 1} comes before it`);
  const { plan, opaque } = await planOf(step, batch, keys);
  await step.execute(plan.write, plan.head);
  await step.addOpaque(opaque);
  await assembleAdopted(step, batch);
  await step.finalize(batch.height, batch.at);
}

interface AdoptionPlan {
  readonly plan: ExecutionPlan;
  /** Places of accounts that are opaque, or that make them so. */
  readonly opaque: readonly OpaquePlace[];
}

/** Executes what the batch holds, one place after the other: each is read as the account then is. */
async function planOf(step: SequenceStep, batch: FinalBatch, keys: AdoptionKeys): Promise<AdoptionPlan> {
  const places = placesOf(batch);
  const ids = new Set(places.filter(changesAccount).map(({ accountId }) => accountId));
  const accounts = new Map((await step.accounts([...ids])).map((account) => [account.id, account]));
  const sizes = new BatchSizes([batch.headers.length]);
  const plan = new ExecutionPlan(
    step.head,
    { sizes },
    {
      // Redeemed orders were verified when they were read, and so was skipping an order.
      orders: new Map(),
      previous: new Map(),
      account: (id: number) => accounts.get(id),
    },
  );
  const deposits = (await step.readyDeposits(places.length)).values();
  const opaque: OpaquePlace[] = [];
  for (const place of places) {
    if (place.kind === 'noOp') plan.skip();
    else if (!changesAccount(place)) takeDeposit(plan, deposits.next().value, place.isCredited);
    else if (!(await take(step, { plan, place, accounts, keys })))
      opaque.push({ ...place, blindingFactor: saidBlindingFactor(place, keys.operatorSecrets) });
  }
  return { plan, opaque };
}

function takeDeposit(
  plan: ExecutionPlan,
  deposit: Parameters<ExecutionPlan['takeDeposit']>[0] | undefined,
  isCredited: boolean,
): void {
  if (deposit === undefined) throw new UnreadableBatchError('it takes a deposit that is not known here');
  plan.takeReadDeposit(deposit, isCredited);
}

interface Taking {
  readonly plan: ExecutionPlan;
  readonly place: PublicPlace;
  readonly accounts: ReadonlyMap<number, Account>;
  readonly keys: AdoptionKeys;
}

/** @returns whether the account is known afterwards */
async function take(step: SequenceStep, { plan, place, accounts, keys }: Taking): Promise<boolean> {
  const { accountId, orderHash } = place;
  const before = plan.account(accountId) ?? (plan.isOpaque(accountId) ? undefined : accounts.get(accountId));
  assertNext(plan, place, before);
  const { operatorSecrets, domain, hasConsents } = keys;
  const isTaken = (sequence: number) => plan.hasTaken(sequence);
  const isKeyTaken = async (publicKey: Point) =>
    plan.hasCreated(publicKey) || (await step.hasAccount(publicKey));
  const parts = {
    before,
    operatorSecrets,
    isTaken,
    isKeyTaken,
    consentDomain: hasConsents ? domain : undefined,
  };
  const reading = await readPlace(step, place, parts);
  assertKey(place, reading, keys);
  if (place.kind === 'credit') {
    plan.takeReadCredit(place, reading.credit);
    return reading.credit !== undefined;
  }
  const { after, order } = reading;
  plan.takeRead(place, {
    after,
    stored: await rowOf(step, reading, keys.domain),
    order: orderHash === 0n ? undefined : { hash: orderHash, order },
  });
  return after !== undefined;
}

async function rowOf(step: SequenceStep, { stored, operation }: Reading, domain: bigint) {
  if (operation === undefined) return stored;
  return step.addAdopted({ hash: operationHash(domain, operation), operation });
}

/** The contract gives ids in sequence: another one says that the rows are not those of this contract. */
function assertNext(
  plan: ExecutionPlan,
  { kind, accountId }: PublicPlace,
  before: Account | undefined,
): void {
  const { nextAccountId } = plan.head;
  if (
    kind === 'createAccount' ? accountId === nextAccountId && before === undefined : accountId < nextAccountId
  )
    return;
  throw new UnreadableBatchError(`it has account ${accountId}, and ${nextAccountId} is next`);
}

/** What the key might open is not given up without it: an account that is opaque once stays so. */
function assertKey(
  { kind, accountId, words }: PublicPlace,
  reading: Reading,
  { operatorSecrets }: AdoptionKeys,
): void {
  if (reading.after !== undefined || operatorSecrets.length > 0 || kind === 'createAccount') return;
  if (kind === 'outboundTransfer' || kind === 'credit' || ciphertextFromWords(words) === undefined) return;
  throw new UnreadableBatchError(
    `an operation of account ${accountId} is not among those accepted here, and the operator has no --operator-key-file to read it with`,
  );
}
