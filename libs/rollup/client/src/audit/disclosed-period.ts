import { parseOperationHeader, type OpenedLeaf } from '@tetrad/rollup-circuits';
import {
  CIPHERTEXT_WORDS,
  NO_CONSENT,
  ciphertextFromWords,
  splitTotalIndex,
  type MoneyOrder,
  type Point,
} from '@tetrad/rollup-crypto';
import {
  ACCOUNT_TREE_DEPTH,
  MerkleTree,
  accountAfter,
  accountHash,
  balanceTree,
  frontierNodes,
  proveOrder,
  type Account,
  type AccountEvent,
  type AccountRecovery,
} from '@tetrad/rollup-state';
import { OperatorError } from '@tetrad/types';
import type { MinedBatch } from '../chain/accepted-batches.js';
import {
  VIEW_KEY_LIMITS,
  type OpenedReceipt,
  type Opening,
  type ViewKey,
  type ViewPeriod,
} from './view-key.js';

/** A redemption may open an order from before the period, and each event is a redemption at most. */
const MAX_EVENTS = VIEW_KEY_LIMITS.received;

type EventOf<Kind extends AccountEvent['kind']> = Extract<AccountEvent, { readonly kind: Kind }>;

/** Collects what a view key opens, while the account is followed batch by batch. */
export class DisclosedPeriod {
  /** Of the account in the period, the one before it first. */
  readonly leaves: OpenedLeaf[] = [];
  /** Of the money orders of the period whose texts have a form that can be read. */
  readonly ephemerals: Point[] = [];
  private readonly events: AccountEvent[] = [];
  /** All that the account was sent, from its beginning. */
  private readonly received = new Map<number, MoneyOrder>();
  private opening: Opening | undefined;
  private account: Account | undefined;
  private blocks: Pick<ViewPeriod, 'fromBlock' | 'toBlock'> | undefined;

  constructor(
    private readonly recovery: AccountRecovery,
    private readonly heights: Pick<ViewPeriod, 'from' | 'to'>,
  ) {}

  /**
   * Follows the next batch.
   *
   * @param batch - the next one; the last is that of the period's end
   * @throws PublicStateError, RecoveryError; OperatorError when the account did more than a view key opens
   */
  apply(batch: MinedBatch): void {
    if (batch.height === this.heights.from) this.open();
    const events = this.recovery.apply(batch);
    for (const event of events)
      if (event.kind === 'received') this.received.set(event.totalIndex, event.order);
    if (batch.height < this.heights.from) return;
    const { blockNumber } = batch;
    this.blocks = { fromBlock: this.blocks?.fromBlock ?? blockNumber, toBlock: blockNumber };
    this.events.push(...events);
    for (const event of events) this.follow(event, batch);
    this.ephemerals.push(...ephemeralsOf(batch));
    this.assertFits();
  }

  /**
   * All that is opened, after the last batch.
   *
   * @param own - the account then
   * @returns the openings
   * @throws OperatorError when an order is redeemed that the keys have not opened
   */
  openings(
    own: Account,
  ): Pick<
    ViewKey,
    | 'period'
    | 'opening'
    | 'closing'
    | 'sent'
    | 'redeemed'
    | 'withdrawn'
    | 'consents'
    | 'credited'
    | 'received'
  > {
    const { opening, blocks } = this;
    if (opening === undefined || blocks === undefined)
      throw new OperatorError('the period has not been read');
    const tree = new MerkleTree(ACCOUNT_TREE_DEPTH, this.recovery.accountNode);
    return {
      period: { ...this.heights, ...blocks },
      opening,
      closing: { siblings: tree.path(own.id) },
      sent: this.of('sent').map(({ totalIndex: at, order }) => {
        const { toAccountId, tokenId, amount, blindingFactor } = order;
        return { at, toAccountId, tokenId, amount, blindingFactor };
      }),
      redeemed: this.of('redeemed').map(({ totalIndex: at, orderIndex }) => ({ at, orderIndex })),
      withdrawn: this.of('withdrawn').map(({ totalIndex: at, toEthereumAddress, tokenId, amount }) => {
        return { at, toEthereumAddress, tokenId, amount };
      }),
      consents: this.of('consentChanged').map(({ totalIndex: at, consent }) => ({ at, consent })),
      credited: this.of('credited').map(({ totalIndex: at, tokenId, amount }) => ({ at, tokenId, amount })),
      received: [...this.earlierOrders(), ...this.ordersOfPeriod()],
    };
  }

  private assertFits(): void {
    const isFull = this.leaves.length > VIEW_KEY_LIMITS.operations || this.events.length > MAX_EVENTS;
    if (isFull)
      throw new OperatorError(
        `the period has more than ${VIEW_KEY_LIMITS.operations} operations of the account, or more than ${VIEW_KEY_LIMITS.received} with the orders for it: disclose a shorter one`,
      );
  }

  /** Deposits are on the chain for all to see. */
  private ordersOfPeriod(): OpenedReceipt[] {
    return this.of('received').flatMap(({ totalIndex: at, order }) =>
      order.fromAccountId === 0 ? [] : [receiptOf(at, order)],
    );
  }

  private earlierOrders(): OpenedReceipt[] {
    return this.of('redeemed').flatMap(({ orderIndex: at }) => {
      const order = this.received.get(at);
      if (order === undefined)
        throw new OperatorError(`the keys do not open order ${at}, which was redeemed`);
      if (splitTotalIndex(at).batchHeight >= this.heights.from) return [];
      const { siblings, historySiblings } = proveOrder(this.recovery, { order, totalIndex: at });
      return [{ ...receiptOf(at, order), proof: { siblings, historySiblings } }];
    });
  }

  private open(): void {
    const { recovery } = this;
    const { height, inboundFrom: deposits } = recovery.next;
    const tree = new MerkleTree(ACCOUNT_TREE_DEPTH, recovery.accountNode);
    const common = {
      accountRoot: tree.root,
      deposits,
      frontier: frontierNodes(height - 1, recovery.historyNode),
    };
    const { own } = recovery;
    this.account = own;
    if (own === undefined) {
      this.opening = { ...common, account: undefined };
      return;
    }
    const leaf = accountHash(own);
    const { nonce, redemptionIndex, balances } = own;
    const consent = own.consent ?? NO_CONSENT;
    const account = { leaf, nonce, redemptionIndex, balances, consent, siblings: tree.path(own.id) };
    this.opening = { ...common, account };
    this.leaves.push({ ...leafFields(own), leaf });
  }

  private follow(event: AccountEvent, { leaves }: MinedBatch): void {
    if (event.kind === 'received') return;
    this.account = event.kind === 'created' ? this.created() : accountAfter(this.account as Account, event);
    const leaf = leaves[splitTotalIndex(event.totalIndex).index] ?? 0n;
    this.leaves.push({ ...leafFields(this.account), leaf });
  }

  /** What is known after the batch, which may have more of the account, as it was in the beginning. */
  private created(): Account {
    const own = this.recovery.own as Account;
    const none = own.consent === undefined ? {} : { consent: NO_CONSENT };
    const fresh = { nonce: 0, redemptionIndex: 0, balances: new Map(), consentTerms: undefined };
    return { ...own, ...fresh, ...none };
  }

  private of<Kind extends AccountEvent['kind']>(kind: Kind): EventOf<Kind>[] {
    return this.events.filter((event): event is EventOf<Kind> => event.kind === kind);
  }
}

function receiptOf(at: number, order: MoneyOrder): OpenedReceipt {
  const { fromAccountId, tokenId, amount, blindingFactor } = order;
  return { at, fromAccountId, tokenId, amount, blindingFactor, proof: undefined };
}

function leafFields(account: Account): Omit<OpenedLeaf, 'leaf'> {
  const { nonce, redemptionIndex, consent = NO_CONSENT } = account;
  return { nonce, redemptionIndex, balancesRoot: balanceTree(account).root, consent };
}

function ephemeralsOf({ headers, ciphertexts }: MinedBatch): Point[] {
  return headers.flatMap((header, index) => {
    if (parseOperationHeader(header).kind !== 'createMoneyOrder') return [];
    const words = ciphertexts.slice(CIPHERTEXT_WORDS * index, CIPHERTEXT_WORDS * (index + 1));
    const ciphertext = ciphertextFromWords(words);
    return ciphertext === undefined ? [] : [ciphertext.ephemeral];
  });
}
