import {
  NO_CIPHERTEXT,
  NO_OP_WITNESS,
  bindCiphertexts,
  type BatchWitness,
  type OperationWitness,
  type PublicInputs,
  type PublicOperation,
} from '@tetrad/rollup-circuits';
import {
  ciphertextWords,
  creditWord,
  moneyOrderHash,
  splitTotalIndex,
  totalIndex,
  type MoneyOrder,
} from '@tetrad/rollup-crypto';
import { accountHash, isReadable, type Account, type KnownAccount } from './account.js';
import { directOrder } from './credit.js';
import {
  executeOperation,
  type Effects,
  type ExecutionView,
  type RejectionReason,
  type StateView,
} from './execution.js';
import { MerkleTree, treeOfLeaves, type NodeReader, type NodeWrite } from './merkle-tree.js';
import { publicOperation, type PublicPart } from './public-operation.js';
import type { RollupOperation } from './rollup-operation.js';
import { ACCOUNT_TREE_DEPTH, HISTORY_TREE_DEPTH, ORDER_TREE_DEPTH, stateRoot } from './tree-shape.js';
import { creditPlace, operationWitness } from './witness.js';

/** What applying a batch reads of the state after the batch before. Everything is at hand: nothing here waits. */
export interface BatchView extends StateView {
  readonly accountNode: NodeReader;
  readonly historyNode: NodeReader;
  /** Leaves of the order tree of an earlier batch, by index; empty ones may be left out at the end. */
  orders(batchHeight: number): readonly bigint[];
}

export interface BatchPlan {
  /** The first batch has 1. */
  readonly height: number;
  /** Which rollup it is (rollupDomain). */
  readonly domain: bigint;
  /** Index of the next deposit. */
  readonly inboundFrom: number;
  /** Operations that the circuit takes; what is missing is padded. */
  readonly size: number;
  /** Whether its contract has consents (`hasConsents` of rollup-chain): without them leaves have eight words. */
  readonly hasConsents: boolean;
}

/** Outcome of one operation. */
export type Result =
  | { readonly status: 'EXECUTED'; readonly index: number; readonly effects: Effects }
  | { readonly status: 'REJECTED'; readonly reason: RejectionReason }
  | { readonly status: 'WAITING' };

export interface Batch {
  readonly publicInputs: PublicInputs;
  readonly witness: BatchWitness;
  /** One for each operation, in order, until the batch was full. */
  readonly results: readonly Result[];
  /** Those that can be read. */
  readonly accounts: readonly Account[];
  readonly accountNodes: readonly NodeWrite[];
  readonly historyNodes: readonly NodeWrite[];
  /** Hash of the order that each operation of the batch made, or 0; also 0 of one that was credited. */
  readonly orders: readonly bigint[];
  /** What of the batch is published with the proof: for each operation its 15 words. */
  readonly ciphertexts: readonly (readonly bigint[])[];
}

/**
 * Applies operations in order until as many as the batch takes were executed: a pure function of view, plan and
 * operations. Those that are rejected or wait take no place in the batch.
 * @param operations - deposits in the order of their index, the first of them `inboundFrom`
 * @throws RangeError for a deposit out of order
 */
export function applyBatch(view: BatchView, plan: BatchPlan, operations: readonly RollupOperation[]): Batch {
  const state = new BatchState(view, plan);
  const results: Result[] = [];
  for (const operation of operations) {
    if (state.isFull) break;
    const execution = executeOperation(state.executionView, operation);
    results.push(
      execution.status === 'EXECUTED'
        ? { ...execution, index: state.add(operation, execution.effects) }
        : execution,
    );
  }
  return state.finish(results);
}

/**
 * Assembles a batch of given effects, with no-ops at given places. It may be invalid: then the circuit refuses the witness,
 * which tests verify with it.
 */
export function assembleBatch(
  view: BatchView,
  plan: BatchPlan,
  steps: readonly (AssembledStep | 'noOp')[],
): Batch {
  const state = new BatchState(view, plan);
  const results = steps.flatMap((step): Result[] => {
    if (step === 'noOp') {
      state.addNoOp();
      return [];
    }
    const { operation, effects } = step;
    return [{ status: 'EXECUTED', effects, index: state.add(operation, effects) }];
  });
  return state.finish(results);
}

export interface AssembledStep {
  readonly operation: RollupOperation;
  readonly effects: Effects;
}

class BatchState {
  private readonly view: BatchView;
  private readonly plan: BatchPlan;
  private readonly accounts = new Map<number, KnownAccount>();
  private readonly accountTree: MerkleTree;
  private readonly historyTree: MerkleTree;
  private readonly orderTrees = new Map<number, MerkleTree>();
  private readonly roots: { readonly account: bigint; readonly history: bigint };
  private readonly witnesses: OperationWitness[] = [];
  private readonly public: PublicOperation[] = [];
  private readonly ciphertexts: (readonly bigint[])[] = [];
  private inbound: number;
  /** What the next operation may credit. */
  private direct: MoneyOrder | undefined;

  constructor(view: BatchView, plan: BatchPlan) {
    this.view = view;
    this.plan = plan;
    this.inbound = plan.inboundFrom;
    this.accountTree = new MerkleTree(ACCOUNT_TREE_DEPTH, view.accountNode);
    this.historyTree = new MerkleTree(HISTORY_TREE_DEPTH, view.historyNode);
    this.roots = { account: this.accountTree.root, history: this.historyTree.root };
  }

  get isFull(): boolean {
    return this.witnesses.length === this.plan.size;
  }

  /** The state as the operations so far left it. */
  get executionView(): ExecutionView {
    const { hasConsents, domain, height } = this.plan;
    return {
      account: (id) => this.accounts.get(id) ?? this.view.account(id),
      order: (index) => this.view.order(index),
      hasOpenOrder: (id, after, before) => this.view.hasOpenOrder(id, after, before),
      credits: hasConsents ? { domain, height, before: this.direct } : undefined,
    };
  }

  /** @returns the place of the operation in the batch */
  add(operation: RollupOperation, effects: Effects): number {
    if (operation.kind === 'inboundTransfer') this.takeDeposit(operation.index);
    const index = this.witnesses.length;
    const { after } = effects;
    const text = this.textOf(operation, effects);
    this.witnesses.push(this.witness(operation, effects, text));
    const leaf = after === undefined ? 0n : accountHash(after);
    if (after !== undefined) {
      this.accountTree.update(after.id, leaf);
      this.accounts.set(after.id, after);
    }
    const order = effects.order === undefined ? 0n : moneyOrderHash(effects.order);
    if (operation.kind === 'credit') this.takeOrder();
    this.push({ ...publicOperation(operation), leaf, order }, text);
    this.direct = directOrder(operation);
    return index;
  }

  addNoOp(): void {
    this.witnesses.push(NO_OP_WITNESS);
    this.direct = undefined;
    this.push({ ...NOTHING, leaf: 0n, order: 0n }, NO_CIPHERTEXT);
  }

  finish(results: readonly Result[]): Batch {
    const { height, domain, inboundFrom } = this.plan;
    while (!this.isFull) this.addNoOp();
    const orders = this.public.map(({ order }) => order);
    const ordersRoot = treeOfLeaves(ORDER_TREE_DEPTH, orders.entries()).root;
    const historyPath = this.historyTree.path(height);
    this.historyTree.update(height, ordersRoot);
    const publicInputs: PublicInputs = {
      previousStateRoot: stateRoot(this.roots.account, this.roots.history),
      nextStateRoot: stateRoot(this.accountTree.root, this.historyTree.root),
      height,
      domain,
      inboundFrom,
      inboundTo: this.inbound,
      ordersRoot,
      ciphertexts: bindCiphertexts(this.ciphertexts),
      operations: this.public,
    };
    return {
      publicInputs,
      witness: {
        publicInputs,
        accountRoot: this.roots.account,
        historyRoot: this.roots.history,
        historyPath,
        operations: this.witnesses,
        hasConsents: this.plan.hasConsents,
      },
      results,
      orders,
      ciphertexts: this.ciphertexts,
      accounts: this.readable,
      accountNodes: this.accountTree.writes(),
      historyNodes: this.historyTree.writes(),
    };
  }

  private get readable(): Account[] {
    return [...this.accounts.values()].filter(isReadable);
  }

  private witness(
    operation: RollupOperation,
    effects: Effects,
    ciphertext: readonly bigint[],
  ): OperationWitness {
    return operationWitness(operation, effects, {
      ciphertext,
      totalIndex: this.nextIndex,
      accountPath: (id) => this.accountTree.path(id),
      orderPath: (totalIndex) => this.orderPath(totalIndex),
      batchPath: (totalIndex) => this.historyTree.path(splitTotalIndex(totalIndex).batchHeight),
    });
  }

  private orderPath(totalIndex: number): bigint[] {
    const { batchHeight, index } = splitTotalIndex(totalIndex);
    let tree = this.orderTrees.get(batchHeight);
    if (tree === undefined) {
      tree = treeOfLeaves(ORDER_TREE_DEPTH, this.view.orders(batchHeight).entries());
      this.orderTrees.set(batchHeight, tree);
    }
    return tree.path(index);
  }

  /** What is published with the operation: of a credit the word that says what came. */
  private textOf(operation: RollupOperation, { after }: Effects): readonly bigint[] {
    if (operation.kind !== 'credit')
      return 'ciphertext' in operation ? ciphertextWords(operation.ciphertext) : NO_CIPHERTEXT;
    const word = creditWord(creditPlace(after as KnownAccount, this.nextIndex), operation.order);
    return [word, ...NO_CIPHERTEXT.slice(1)];
  }

  /** Total index of the operation that is added next. */
  private get nextIndex(): number {
    return totalIndex(this.plan.height, this.witnesses.length);
  }

  /** The order of the last operation is credited, and in no tree. */
  private takeOrder(): void {
    const last = this.public.pop();
    if (last !== undefined) this.public.push({ ...last, order: 0n });
  }

  private takeDeposit(index: number): void {
    if (index !== this.inbound) throw new RangeError(`deposit ${this.inbound} is next, not ${index}`);
    this.inbound += 1;
  }

  private push(operation: PublicOperation, ciphertext: readonly bigint[]): void {
    this.public.push(operation);
    this.ciphertexts.push(ciphertext);
  }
}

const NOTHING: PublicPart = { kind: 'noOp', accountId: 0, tokenId: 0, amount: 0n, toAddress: 0n };
