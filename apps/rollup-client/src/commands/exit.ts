import {
  exitRollup,
  type ExitProgress,
  type PlannedTransfer,
  type RollupContract,
} from '@tetrad/rollup-client';
import { defineOptions, option } from '@tetrad/service';
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
  }),
  async run({ config, terminal, signal }) {
    const keys = await openKeys(config);
    const payerKey = await openPayerKey(config);
    const recipient = config.to ?? keys.address;
    return withContract(config, async (contract) => {
      await dispel([doubtOfAddress(recipient, contract.address)], { isSure: config.yes, terminal });
      const describe = await describer(contract);
      const onProgress = (progress: ExitProgress) => {
        if (config.json) terminal.say(jsonProgress(progress));
        else terminal.say(describe(progress));
      };
      const { fromBlock } = config;
      const parts = { contract, keys, recipient, payerKey, fromBlock, signal, onProgress, pause };
      const owed = await exitRollup(parts);
      if (!config.json)
        terminal.say(
          owed.length === 0 ? `all is paid to ${recipient}` : 'the contract still owes what is said above',
        );
      return owed.length === 0 ? EXIT.done : EXIT.failed;
    });
  },
});

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
        return `requesting ${amountOf(progress)} from the contract`;
      case 'requested':
        return `requested ${amountOf(progress)}`;
      case 'waiting':
        return `waiting until ${new Date(progress.until * 1000).toISOString()}: the operator has that long to pay`;
      case 'proving':
        return `proving batch ${progress.height}`;
      case 'submitting':
        return `submitting batch ${progress.height}`;
      case 'sent':
        return `transaction ${progress.hash}`;
      case 'left':
        return `left the rollup: ${amountOf(progress)}`;
      case 'refused':
        return `not now: ${progress.reason}`;
      case 'owed':
        return `the payment of ${amountOf(progress)} failed; the contract owes it, and this command fetches it once the recipient takes it`;
    }
  };
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
