import {
  exitRollup,
  type ExitProgress,
  type PlannedTransfer,
  type RollupContract,
} from '@tetrad/rollup-client';
import { OptionError, defineOptions, option, textOption } from '@tetrad/service';
import { AMOUNT_LIMIT } from '@tetrad/rollup-state';
import { describeAmount } from '../amount.js';
import { openKeys, openPayerKey, pause, withContract } from '../open-account.js';
import { dispel, doubtOfAddress } from '../doubts.js';
import {
  addressOption,
  chainOptions,
  jsonOptions,
  keyOptions,
  payerOptions,
  sureOptions,
} from '../options.js';
import { jsonText } from '../record-text.js';
import { doubtOfContract } from '../verified-contract.js';
import { EXIT, defineCommand } from './define-command.js';

export const exitCommand = defineCommand({
  name: 'exit',
  usage: '--contract ADDRESS --key-file FILE --password-file FILE [options]',
  words: [0, 0],
  summary:
    'Takes all that the account holds out of the rollup by the chain alone, without the operator; after an interruption, run it again.',
  options: defineOptions({
    ...chainOptions,
    ...keyOptions,
    ...payerOptions,
    ...jsonOptions,
    ...sureOptions,
    to: option(addressOption(), {
      description: 'Ethereum address that is paid; default: that of the key file.',
    }),
    minimum: option(textOption('UNITS'), {
      description:
        'Leave received orders of fewer units of the rollup: what they cost to withdraw may be more than they are worth.',
      default: '1',
    }),
  }),
  async run({ config, terminal, signal }) {
    const keys = await openKeys(config);
    const payerKey = await openPayerKey(config);
    const recipient = config.to ?? keys.address;
    const minimum = parseMinimum(config.minimum);
    return withContract(config, async (contract) => {
      const doubts = [doubtOfAddress(recipient, contract.address), await doubtOfContract(contract, config)];
      await dispel(doubts, { isSure: config.yes, terminal });
      const describe = await describer(contract);
      const onProgress = (progress: ExitProgress) => {
        if (config.json) terminal.say(jsonProgress(progress));
        else terminal.say(describe(progress));
      };
      const { fromBlock } = config;
      const parts = { contract, keys, recipient, payerKey, minimum, fromBlock, signal, onProgress, pause };
      const owed = await exitRollup(parts);
      if (!config.json)
        terminal.say(
          owed.length === 0 ? `all is paid to ${recipient}` : 'the contract still owes what is said above',
        );
      return owed.length === 0 ? EXIT.done : EXIT.failed;
    });
  },
});

function parseMinimum(text: string): bigint {
  if (!/^\d{1,20}$/.test(text) || BigInt(text) >= AMOUNT_LIMIT)
    throw new OptionError('--minimum', `must be a number of units below 2^64, not ${text.slice(0, 80)}`);
  return BigInt(text);
}

function jsonProgress(progress: ExitProgress): string {
  if (progress.kind !== 'account') return jsonText(progress);
  const { account, kind, openOrders } = progress;
  const { id, nonce, balances } = account;
  return jsonText({ kind, id, nonce, openOrders, balances: Object.fromEntries(balances) });
}

/** A line for people about each step. */
async function describer(contract: RollupContract): Promise<(progress: ExitProgress) => string> {
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
      return `the contract is frozen after batch ${progress.height}`;
    case 'claiming':
      return `claiming the account for ${progress.recipient}`;
    case 'claimed':
      return `the account is claimed for ${progress.recipient}`;
    case 'withdrawing':
      return `withdrawing ${progress.count} ${progress.what}`;
    case 'returning':
      return `fetching ${progress.deposits} deposits that no batch has taken`;
    case 'sent':
      return `transaction ${progress.hash}`;
    case 'refused':
      return `not now: ${progress.reason}`;
    case 'kept':
      return `${progress.orders} orders and ${progress.balances} balances are too small to be asked for; they can be withdrawn when the contract is frozen`;
  }
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
