import { redirectOwed, type RollupContract, type RollupKeys, type SendOptions } from '@tetrad/rollup-client';
import { OptionError, defineOptions, option } from '@tetrad/service';
import type { Address } from '@tetrad/types';
import { describeAmount } from '../amount.js';
import { openKeys, openPayerKey, withContract } from '../open-account.js';
import { addressOption, chainOptions, jsonOptions, keyOptions, payerOptions } from '../options.js';
import { jsonText } from '../record-text.js';
import { EXIT, defineCommand } from './define-command.js';

export const owedCommand = defineCommand({
  name: 'owed',
  usage: '--contract ADDRESS --key-file FILE --password-file FILE [options]',
  words: [0, 0],
  summary:
    'Fetches payments to the address of the key file that failed and that the contract owes, or has another address paid.',
  options: defineOptions({
    ...chainOptions,
    ...keyOptions,
    ...payerOptions,
    ...jsonOptions,
    to: option(addressOption(), {
      description: 'Ethereum address that is paid in place of that of the key file, which signs for it.',
    }),
  }),
  async run({ config, terminal, signal }) {
    const keys = await openKeys(config);
    const key = (await openPayerKey(config)) ?? keys.ethereumKey;
    return withContract(config, async (contract) => {
      if (config.to !== undefined && contract.exitRules === 'turns')
        throw new OptionError('--to', 'a contract of an earlier version pays the recipient alone');
      let count = 0;
      for await (const { tokenId, amount } of debtsTo(contract, keys.address)) {
        const onSent = (hash: string) => {
          if (!config.json) terminal.say(`transaction ${hash}`);
        };
        await fetchOwed(contract, { tokenId, keys, to: config.to }, { key, signal, onSent });
        const to = config.to ?? keys.address;
        terminal.say(
          config.json
            ? jsonText({ tokenId, amount, to })
            : `${describeAmount(amount, await contract.token(tokenId))} paid to ${to}`,
        );
        count += 1;
      }
      if (count === 0) terminal.warn(`nothing is owed to ${keys.address}`);
      return EXIT.done;
    });
  },
});

async function* debtsTo(contract: RollupContract, recipient: Address) {
  const count = await contract.tokenCount();
  for (let tokenId = 0; tokenId < count; tokenId += 1) {
    const amount = await contract.read('owed', [recipient, tokenId]);
    if (amount > 0n) yield { tokenId, amount };
  }
}

function fetchOwed(
  contract: RollupContract,
  debt: { readonly tokenId: number; readonly keys: RollupKeys; readonly to: Address | undefined },
  sending: SendOptions,
) {
  const { tokenId, keys, to } = debt;
  if (to === undefined) return contract.send('payOwed', [keys.address, tokenId], sending);
  return redirectOwed(contract, { tokenId, to, recipientKey: keys.ethereumKey }, sending);
}
