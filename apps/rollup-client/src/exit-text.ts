import {
  freezeText,
  type ExitProgress,
  type PlannedTransfer,
  type RollupContract,
} from '@tetrad/rollup-client';
import { describeAmount } from './amount.js';
import { gweiText } from './gas-price.js';
import { jsonText } from './record-text.js';

/** A JSON object for programs about each step. */
export function exitJson(progress: ExitProgress): string {
  if (progress.kind !== 'account') return jsonText(progress);
  const { account, kind, openOrders } = progress;
  const { id, nonce, balances } = account;
  return jsonText({ kind, id, nonce, openOrders, balances: Object.fromEntries(balances) });
}

/**
 * A line for people about each step.
 *
 * @param contract - whose tokens are named
 * @returns the text of a step
 * @throws as the contract
 */
export async function exitDescriber(
  contract: Pick<RollupContract, 'read' | 'token'>,
): Promise<(progress: ExitProgress) => string> {
  const count = Number(await contract.read('tokenCount', []));
  const tokens = await Promise.all(Array.from({ length: count }, (_, id) => contract.token(id)));
  const amountOf = ({ amount, tokenId }: PlannedTransfer) => {
    const token = tokens[tokenId];
    return token === undefined ? `${amount} units of token ${tokenId}` : describeAmount(amount, token);
  };
  return (progress) => {
    switch (progress.kind) {
      case 'reading':
        return `read the chain up to block ${progress.block}`;
      case 'account':
        return describeAccount(progress, amountOf);
      case 'requesting':
        return `requesting ${describeRequest(progress, amountOf)} from the contract`;
      case 'requested':
        return `requested ${describeRequest(progress, amountOf)}`;
      case 'waiting':
        return `waiting until ${new Date(progress.until * 1000).toISOString()}: the operator has that long to serve`;
      case 'left':
        return `left the rollup: ${amountOf(progress)}`;
      case 'owed':
        return `the payment of ${amountOf(progress)} failed; the contract owes it, and this command fetches it once the recipient takes it`;
      default:
        return describeStep(progress);
    }
  };
}

/** What has no amount. */
function describeStep(
  progress: Exclude<
    ExitProgress,
    { kind: 'reading' | 'account' | 'requesting' | 'requested' | 'waiting' | 'left' | 'owed' }
  >,
): string {
  switch (progress.kind) {
    case 'proving':
      return `proving batch ${progress.height}`;
    case 'submitting':
      return `submitting batch ${progress.height}`;
    case 'announcing':
      return 'announcing that the contract will be frozen';
    case 'freezing':
      return 'the operator has not served in time: freezing the contract';
    case 'frozen':
      return frozenText(progress);
    case 'claiming':
      return `claiming the account for ${progress.recipient}`;
    case 'claimed':
      return `the account is claimed for ${progress.recipient}`;
    case 'withdrawing':
      return `withdrawing ${progress.count} ${progress.what}`;
    case 'returning':
      return `fetching ${progress.deposits} deposits that no batch has taken`;
    case 'pending':
      return `waiting for ${progress.transactions} transactions of the payer from before`;
    case 'dear':
      return `a unit of gas costs ${gweiText(progress.price)}: waiting until it is ${gweiText(progress.most)} or less (--max-fee-per-gas)`;
    case 'sent':
      return `transaction ${progress.hash}`;
    case 'refused':
      return `not now: ${progress.reason}`;
    case 'kept':
      return `${progress.orders} orders and ${progress.balances} balances are too small to be asked for; they can be withdrawn when the contract is frozen`;
  }
}

function frozenText({ height, history }: Extract<ExitProgress, { kind: 'frozen' }>): string {
  const who = history === undefined ? '' : `: ${freezeText(history)}`;
  return `the contract is frozen after batch ${height}${who}`;
}

function describeRequest(
  progress: Extract<ExitProgress, { kind: 'requesting' | 'requested' }>,
  amountOf: (transfer: PlannedTransfer) => string,
): string {
  const { order, passed = 0 } = progress;
  if (order === undefined) return amountOf(progress);
  const lost = passed === 0 ? '' : `, past ${passed} earlier ones, which are lost if the operator makes it,`;
  return `order ${order} of ${amountOf(progress)}${lost}`;
}

function describeAccount(
  { account, openOrders }: Extract<ExitProgress, { kind: 'account' }>,
  amountOf: (transfer: PlannedTransfer) => string,
): string {
  const held = [...account.balances]
    .filter(([, amount]) => amount > 0n)
    .map(([tokenId, amount]) => amountOf({ tokenId, amount }));
  const holds = held.length === 0 ? 'holds nothing' : `holds ${held.join(', ')}`;
  return `account ${account.id} ${holds}, and has ${openOrders} orders to redeem`;
}
