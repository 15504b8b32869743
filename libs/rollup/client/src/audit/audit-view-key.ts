import {
  LEAVES_IN_PROOF,
  type LeafProver,
  type LeafStatement,
  type OpenedLeaf,
} from '@tetrad/rollup-circuits';
import {
  GENERATOR,
  NO_CONSENT,
  jointKeyHash,
  moneyOrderHash,
  splitTotalIndex,
  verifySharedKeys,
} from '@tetrad/rollup-crypto';
import { HistoryFrontier, ORDER_TREE_DEPTH, rootOfPath, stateRoot } from '@tetrad/rollup-state';
import type { RollupContract } from '../chain/rollup-contract.js';
import type { AccountTotals, AuditReport, AuditedOperation } from './audit-report.js';
import { auditedOperations } from './audited-operations.js';
import { DisclosureError } from './disclosure-error.js';
import { readPeriod } from './read-period.js';
import { readFrozenState, readNeighbours } from './read-surroundings.js';
import { PeriodReplay } from './replay-period.js';
import { unredeemedOrders } from './unredeemed-orders.js';
import type { SignedViewKey, ViewKey } from './view-key.js';

/** With what an audit is made. */
export interface AuditOptions {
  /** Verifies what leaves say. */
  readonly verifier: Pick<LeafProver, 'verify' | 'circuit'>;
  /** Block of the contract's creation, or one before. */
  readonly fromBlock: number;
  /** Called after each page of events with its last block. */
  onPage?(block: number): void;
}

/**
 * Checks what a view key discloses against the contract: neither an operator nor a secret is needed, and one Ethereum client is
 * believed. The signature was checked when it was read (`readViewKey`).
 *
 * @param contract - that the auditor names, never one that the view key names
 * @param signed - the view key
 * @param options - what verifies proofs
 * @returns what is shown
 * @throws DisclosureError for the first difference, with its place; OperatorError for invalid events; as `eventsOf`
 */
export async function auditViewKey(
  contract: RollupContract,
  { viewKey }: SignedViewKey,
  options: AuditOptions,
): Promise<AuditReport> {
  assertSameCircuit(viewKey, options.verifier);
  await assertSameRollup(contract, viewKey);
  const roots = await rootsOf(contract, viewKey);
  const frontier = openHistory(viewKey, roots.opening);
  const replay = new PeriodReplay(viewKey);
  const operations: AuditedOperation[] = [];
  for await (const batch of readPeriod(contract, viewKey.period, options)) {
    frontier.append(batch.ordersRoot);
    operations.push(...(await auditedOperations(contract.client, batch, replay.apply(batch))));
  }
  replay.finish();
  assertClosed(viewKey, replay, { root: roots.closing, historyRoot: frontier.root });
  assertEarlierOrders(viewKey, replay, frontier.root);
  assertSharedKeys(contract, viewKey, replay);
  await assertLeaves(viewKey, replay.leaves, {
    verifier: options.verifier,
    hasConsents: contract.hasConsents,
  });
  const unredeemed = unredeemedOrders(operations, replay.totals);
  return {
    ...identityOf(viewKey),
    roots,
    opening: openingTotals(viewKey),
    closing: replay.totals,
    operations,
    unredeemed,
    isReceivedComplete: viewKey.sharedKeys !== undefined,
    frozen: await readFrozenState(contract, viewKey, { closing: replay.totals, unredeemed }),
    neighbours: await readNeighbours(contract, viewKey.period, options.fromBlock),
  };
}

function assertSameCircuit({ circuit }: ViewKey, verifier: AuditOptions['verifier']): void {
  const { version } = verifier.circuit;
  if (circuit !== version)
    throw new DisclosureError(
      'circuit',
      `a release with circuit ${circuit} made it, and this one has ${version}`,
    );
}

async function assertSameRollup(contract: RollupContract, viewKey: ViewKey): Promise<void> {
  const chainId = await contract.client.chainId();
  if (viewKey.chainId !== chainId)
    throw new DisclosureError(
      'chainId',
      `it is for chain ${viewKey.chainId}, and the client is of ${chainId}`,
    );
  if (viewKey.contract !== contract.address)
    throw new DisclosureError('contract', `it is for ${viewKey.contract}, not for ${contract.address}`);
}

/** @throws DisclosureError for a period that is not there yet */
async function rootsOf(contract: RollupContract, { period }: ViewKey): Promise<AuditReport['roots']> {
  const head = await contract.client.blockNumber();
  // Blocks are read page by page: there must be an end.
  if (period.toBlock > head)
    throw new DisclosureError('period.toBlock', `is ${period.toBlock}, and the last block is ${head}`);
  const [opening, closing] = await Promise.all(
    [period.from - 1, period.to].map((height) => contract.stateRootAt(height)),
  );
  if (opening === undefined || opening === 0n || closing === undefined || closing === 0n)
    throw new DisclosureError('period', `the contract has no batch ${period.to}`);
  return { opening, closing };
}

/**
 * The history from which that of the period goes on.
 * @throws DisclosureError when the state before is another
 */
function openHistory({ period, opening, account }: ViewKey, root: bigint): HistoryFrontier {
  const frontier = HistoryFrontier.of(period.from - 1, opening.frontier);
  const place = `the state before batch ${period.from}`;
  if (stateRoot(opening.accountRoot, frontier.root) !== root)
    throw new DisclosureError(place, 'opening.accountRoot and opening.frontier do not lead to its root');
  const { account: before } = opening;
  if (before !== undefined && rootOfPath(before.leaf, account.id, before.siblings) !== opening.accountRoot)
    throw new DisclosureError(place, `it has another leaf of account ${account.id}`);
  return frontier;
}

/** The last leaf, and all orders of the period, lead to the root of the contract. */
function assertClosed(
  { account, closing, period }: ViewKey,
  { leaves }: PeriodReplay,
  after: { readonly root: bigint; readonly historyRoot: bigint },
): void {
  const last = leaves.at(-1);
  if (last === undefined) throw new DisclosureError('the period', 'ends before the account was made');
  const accountRoot = rootOfPath(last.leaf, account.id, closing.siblings);
  if (stateRoot(accountRoot, after.historyRoot) !== after.root)
    throw new DisclosureError(
      `the state after batch ${period.to}`,
      `the last leaf of account ${account.id} and the orders of the period do not lead to its root`,
    );
}

function assertEarlierOrders({ received }: ViewKey, { orders }: PeriodReplay, historyRoot: bigint): void {
  for (const { at, proof } of received) {
    const order = orders.get(at);
    if (proof === undefined || order === undefined) continue;
    const { batchHeight, index } = splitTotalIndex(at);
    const isPlace = index < 2 ** ORDER_TREE_DEPTH;
    const ordersRoot = rootOfPath(moneyOrderHash(order), index, proof.siblings);
    if (!isPlace || rootOfPath(ordersRoot, batchHeight, proof.historySiblings) !== historyRoot)
      throw DisclosureError.ofOperation(at, 'its proof does not lead to the history of the contract');
  }
}

/** That the keys are those of the account, which the leaf has, and all of them. */
function assertSharedKeys(contract: RollupContract, viewKey: ViewKey, { ephemerals }: PeriodReplay): void {
  const { sharedKeys, account } = viewKey;
  if (sharedKeys === undefined) return;
  const { keys, proof } = sharedKeys;
  if (keys.length !== ephemerals.length)
    throw new DisclosureError('sharedKeys.keys', 'are more than the money orders of the period');
  const user = account.jointKey.user;
  const texts = { domain: contract.domain, user, ephemerals: [GENERATOR, ...ephemerals] };
  if (!verifySharedKeys(texts, [user, ...keys], proof))
    throw new DisclosureError(
      'sharedKeys',
      `are not the keys of account ${account.id} for these money orders`,
    );
}

async function assertLeaves(
  { account, leafProofs }: ViewKey,
  leaves: readonly OpenedLeaf[],
  { verifier, hasConsents }: Pick<AuditOptions, 'verifier'> & Pick<LeafStatement, 'hasConsents'>,
): Promise<void> {
  const count = Math.ceil(leaves.length / LEAVES_IN_PROOF);
  if (leafProofs.length !== count)
    throw new DisclosureError('leafProofs', `are ${leafProofs.length}, and ${count} are needed`);
  const { id, publicKey, jointKey } = account;
  const common = { accountId: id, publicKey, jointKeyHash: jointKeyHash(jointKey), hasConsents };
  for (const [index, proof] of leafProofs.entries()) {
    const first = LEAVES_IN_PROOF * index;
    const statement: LeafStatement = { ...common, leaves: leaves.slice(first, first + LEAVES_IN_PROOF) };
    if (!(await verifier.verify(statement, proof)))
      throw new DisclosureError(
        `leafProofs.${index}`,
        `keys, balances, nonces or redemptions are not those that account ${id} had on the chain`,
      );
  }
}

function identityOf(viewKey: ViewKey) {
  const { chainId, contract, auditor, purpose, period, account } = viewKey;
  return { chainId, contract, auditor, purpose, period, accountId: account.id, publicKey: account.publicKey };
}

function openingTotals({ opening: { account } }: ViewKey): AccountTotals {
  if (account === undefined)
    return { nonce: 0, redemptionIndex: 0, balances: new Map(), consent: NO_CONSENT };
  const { nonce, redemptionIndex, balances, consent } = account;
  return { nonce, redemptionIndex, balances, consent };
}
