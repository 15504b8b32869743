import { rollupHolderMethods } from '@tetrad/api-rollup-operator';
import { hashCodec } from '@tetrad/rpc';
import { OperatorError, type Hash } from '@tetrad/types';
import { z } from 'zod';
import type { OperationCall, SubmitMethod } from '../operations/operation-call.js';
import type { JournalStore } from './journal-store.js';

/** An operation that was signed, and of which it is not known whether the operator has it. */
export interface OpenOperation {
  readonly hash: Hash;
  readonly nonce: number;
  readonly call: OperationCall;
}

const submitMethods = [
  'pazkp_createMoneyOrder',
  'pazkp_redeemMoneyOrder',
  'pazkp_createOutboundTransfer',
  'rollup_createDirectMoneyOrder',
  'rollup_setConsent',
  'rollup_revokeConsent',
] as const satisfies readonly SubmitMethod[];

/** Operations whose outcome is unknown; a client that leaves more behind should look at them first. */
const MAX_OPEN = 64;
const MAX_NONCES = 4096;

const journalSchema = z.strictObject({
  version: z.literal(1),
  /** Of which rollup, as decimal text. */
  domain: z.string().regex(/^[0-9]{1,78}$/),
  accountId: z.int().positive(),
  /** Nonce → orders that were signed with it; only nonces that may still be used. */
  attempts: z.array(z.tuple([z.int().positive(), z.int().positive()])).max(MAX_NONCES),
  open: z
    .array(
      z.strictObject({
        hash: hashCodec,
        nonce: z.int().positive(),
        method: z.enum(submitMethods),
        params: z.array(z.unknown()).max(16),
      }),
    )
    .max(MAX_OPEN),
});

type Journal = z.output<typeof journalSchema>;

/**
 * The operations that an account's client has signed, stored before they are sent. So a lost answer does not lead to a
 * second payment, and no two orders share a randomization factor.
 */
export class OperationJournal {
  private constructor(
    private readonly store: JournalStore,
    private journal: Journal,
  ) {}

  /**
   * Reads the journal in a store, which it closes.
   * @throws OperatorError when it is that of another rollup or account, or damaged; the store is closed then
   */
  static async open(
    store: JournalStore,
    owner: { readonly domain: bigint; readonly accountId: number },
  ): Promise<OperationJournal> {
    try {
      return new OperationJournal(store, await read(store, owner));
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.store.close();
  }

  /** Operations that were signed and not settled, oldest first. */
  get open(): readonly OpenOperation[] {
    return this.journal.open.map(({ hash, nonce, method, params }) => ({
      hash,
      nonce,
      call: { method, params: decodeParams(method, params) } as OperationCall,
    }));
  }

  /** Orders that were signed with this nonce so far. */
  attempts(nonce: number): number {
    return this.journal.attempts.find(([used]) => used === nonce)?.[1] ?? 0;
  }

  /**
   * Writes down an operation that was just signed, before it is sent.
   * @throws OperatorError when too many are open
   */
  async record({ hash, nonce, call }: OpenOperation, attempts: number): Promise<void> {
    if (this.journal.open.length >= MAX_OPEN)
      throw new OperatorError(`${this.store.name}: ${MAX_OPEN} operations are open; settle them first`);
    const { method, params } = call;
    const others = this.journal.attempts.filter(([used]) => used !== nonce);
    await this.write({
      ...this.journal,
      attempts: [...others, [nonce, attempts]],
      open: [...this.journal.open, { hash, nonce, method, params: encodeParams(method, params) }],
    });
  }

  /** Forgets an operation whose fate is known. */
  async settle(hash: Hash): Promise<void> {
    await this.write({ ...this.journal, open: this.journal.open.filter((one) => one.hash !== hash) });
  }

  /** Forgets the attempts of nonces that no operation can have any more. */
  async prune(nonce: number): Promise<void> {
    const attempts = this.journal.attempts.filter(([used]) => used > nonce);
    if (attempts.length < this.journal.attempts.length) await this.write({ ...this.journal, attempts });
  }

  private async write(journal: Journal): Promise<void> {
    await this.store.write(`${JSON.stringify(journal, undefined, 2)}\n`);
    this.journal = journal;
  }
}

async function read(
  store: JournalStore,
  { domain, accountId }: { readonly domain: bigint; readonly accountId: number },
): Promise<Journal> {
  const text = await store.read();
  if (text === undefined) return { version: 1, domain: String(domain), accountId, attempts: [], open: [] };
  const parsed = journalSchema.safeParse(parseJson(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new OperatorError(
      `${store.name}: not a valid journal: ${issue?.path.join('.')}: ${issue?.message}`,
    );
  }
  if (parsed.data.domain !== String(domain) || parsed.data.accountId !== accountId)
    throw new OperatorError(`${store.name}: is the journal of another account`);
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function encodeParams(method: OperationCall['method'], params: readonly unknown[]): unknown[] {
  return rollupHolderMethods[method].params.map(({ schema }, index) => {
    const value = params[index];
    // Amounts above 2^53 are not JSON numbers.
    const wire = value === undefined ? null : (z.encode(schema, value as never) as unknown);
    return typeof wire === 'bigint' ? `0x${wire.toString(16)}` : wire;
  });
}

function decodeParams(method: OperationCall['method'], params: readonly unknown[]): unknown[] {
  return rollupHolderMethods[method].params.map(({ schema }, index) => {
    const wire = params[index];
    return wire === null || wire === undefined ? undefined : z.decode(schema, wire as never);
  });
}
