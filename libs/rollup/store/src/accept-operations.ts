import type { Database } from '@tetrad/db';
import type { AcceptanceBounds, Refusal } from './acceptance-bounds.js';
import { AccountTurns } from './account-turns.js';
import { Admitting } from './admit-operations.js';
import { insertOperations, type GroupedOperation } from './hot/insert-operations.js';
import { lockAcceptance } from './hot/lock-acceptance.js';
import { readArrivals, type SeenArrivals } from './hot/read-arrivals.js';
import { replacePending } from './hot/replace-pending.js';
import { signingAccountId, type AcceptedOperation, type SignedOperation } from './operation-rows.js';
import type { QueueLevel } from './queue-share.js';
import { QueueWatch } from './queue-watch.js';
import type { Statements } from './statements.js';
import { writtenOperation, type WrittenOperation } from './written-operation.js';

/** `PUBLIC_KEY_ALREADY_EXISTS` is for account creations only; of these and of what is refused nothing is stored. */
export type Acceptance = 'ACCEPTED' | 'PUBLIC_KEY_ALREADY_EXISTS' | Refusal;

/** An operation of a group, once, and its row. */
interface Arriving {
  readonly accepted: AcceptedOperation;
  readonly row: WrittenOperation;
}

/** A payment that may be credited takes the place of the credit too. */
const placesOf = (isDirect: boolean | undefined): number => (isDirect === true ? 2 : 1);

/** Any length: without a quota no window is looked at. */
const NO_WINDOW_MS = 86_400_000;

/** Stores operations, as far as the bounds of an operator allow. */
export class OperationIntake {
  private readonly watch: QueueWatch | undefined;

  /** @param bounds - undefined for none */
  constructor(
    private readonly database: Database,
    private readonly bounds: AcceptanceBounds | undefined,
  ) {
    this.watch = bounds === undefined ? undefined : new QueueWatch(bounds);
  }

  /**
   * Stores a group of operations in one transaction; acknowledged means stored. What was pending with the nonce of one of them is
   * replaced by it. What accounts have had is counted with it, so that it is right after a crash and for all processes.
   *
   * @param group - operations that were checked; of several with one account and nonce the last one holds
   * @returns for each what became of it
   */
  async accept(group: readonly AcceptedOperation[]): Promise<Acceptance[]> {
    const unique = new Map(group.map((accepted) => [accepted.hash, accepted]));
    const arriving = [...unique.values()].map((accepted) => ({ accepted, row: writtenOperation(accepted) }));
    const { outcomes, level } = await this.database.transaction(async (statements) => {
      await lockAcceptance(statements);
      return this.store(statements, arriving);
    });
    if (level !== undefined) this.watch?.note(level);
    return group.map(({ hash }) => outcomes.get(hash) as Acceptance);
  }

  private async store(statements: Statements, arriving: readonly Arriving[]) {
    const rows = arriving.map(({ row }) => row);
    const seen = await readArrivals(statements, rows, this.bounds?.quota?.windowMs ?? NO_WINDOW_MS);
    const { refusals, level } = await this.refuse(statements, rows, seen);
    const written = groupOf(arriving, refusals, seen);
    await replacePending(
      statements,
      written.filter(({ position, replaced }) => seen.replacing.has(position) && !replaced),
    );
    const stored = await insertOperations(statements, written, seen.windowStartMs);
    const outcomes = new Map(
      arriving.map(({ accepted: { hash } }, position): [bigint, Acceptance] => {
        const without = stored.has(hash) ? 'ACCEPTED' : 'PUBLIC_KEY_ALREADY_EXISTS';
        return [hash, refusals.get(position) ?? without];
      }),
    );
    return { outcomes, level };
  }

  /** @returns place → why it is not stored; and how full the queue is with what is */
  private async refuse(
    statements: Statements,
    rows: readonly WrittenOperation[],
    seen: SeenArrivals,
  ): Promise<{ readonly refusals: ReadonlyMap<number, Refusal>; readonly level?: QueueLevel }> {
    const { bounds, watch } = this;
    const refusals = new Map<number, Refusal>();
    if (bounds === undefined || watch === undefined) return { refusals };
    const ids = new Set(rows.flatMap(({ accountId }) => accountId ?? []));
    const { level, pending } = await watch.read(statements, ids, rows.length);
    const admitting = new Admitting(bounds, level, { used: seen.used, pending }, seen.windowEndsInMs);
    for (const [place, { accountId, isDirect }] of rows.entries()) {
      const isKnown = seen.known.has(place);
      const isAgain = seen.again.has(place);
      const replaces = seen.replacing.has(place);
      const places = placesOf(isDirect);
      const refusal = admitting.admit({ accountId, isKnown, isAgain, replaces, places });
      if (refusal !== undefined) refusals.set(place, refusal);
    }
    return { refusals, level: admitting.level };
  }
}

/** What is admitted with its turns, and of those with one account and nonce all but the last as replaced. */
function groupOf(
  arriving: readonly Arriving[],
  refusals: ReadonlyMap<number, Refusal>,
  seen: SeenArrivals,
): GroupedOperation[] {
  const turns = new AccountTurns(seen.turns, seen.present);
  const admitted = arriving.flatMap(({ accepted, row }, position) => {
    if (refusals.has(position)) return [];
    const { accountId, isDirect } = row;
    const places = placesOf(isDirect);
    const turn =
      accountId === undefined || seen.known.has(position) ? undefined : turns.next(accountId, places);
    const counts = turn !== undefined && !seen.again.has(position);
    return [{ row, position, turn, places, counts, place: noncePlace(accepted.operation) }];
  });
  const last = new Map(admitted.map(({ place, position }) => [place, position]));
  return admitted.map(({ row, place, ...one }) => {
    const replaced = place !== undefined && last.get(place) !== one.position;
    return { ...row, ...one, replaced };
  });
}

function noncePlace(operation: SignedOperation): string | undefined {
  const accountId = signingAccountId(operation);
  return accountId === undefined || operation.kind === 'createAccount'
    ? undefined
    : `${accountId}/${operation.nonce}`;
}
