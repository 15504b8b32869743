import { exitRollup, type ExitProgress } from '@tetrad/rollup-client';
import { defineOptions, option, textOption } from '@tetrad/service';
import { exitDescriber, exitJson } from '../exit-text.js';
import { parseGasPrice } from '../gas-price.js';
import { minimumOptions, parseMinimum } from '../minimum-option.js';
import { openKeys, openPayerKey, pause, withContract } from '../open-account.js';
import { chosenTokens } from '../chosen-tokens.js';
import { dispel, doubtOfAddress } from '../doubts.js';
import {
  addressOption,
  chainOptions,
  jsonOptions,
  keyOptions,
  onlyOptions,
  payerOptions,
  sureOptions,
} from '../options.js';
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
    ...onlyOptions,
    ...minimumOptions,
    ...jsonOptions,
    ...sureOptions,
    to: option(addressOption(), {
      description: 'Ethereum address that is paid; default: that of the key file.',
    }),
    maxFeePerGas: option(textOption('PRICE'), {
      description:
        'The most that withdrawals pay for a unit of gas, such as 20gwei, or in wei; they wait while it costs more. Default: four times what it costs when they begin.',
    }),
  }),
  async run({ config, terminal, signal }) {
    const keys = await openKeys(config);
    const payerKey = await openPayerKey(config);
    const recipient = config.to ?? keys.address;
    const minimum = parseMinimum(config.minimum);
    const maxFeePerGas =
      config.maxFeePerGas === undefined ? undefined : parseGasPrice(config.maxFeePerGas, '--max-fee-per-gas');
    return withContract(config, async (contract) => {
      const doubts = [doubtOfAddress(recipient, contract.address), await doubtOfContract(contract, config)];
      await dispel(doubts, { isSure: config.yes, terminal });
      const describe = await exitDescriber(contract);
      const onProgress = (progress: ExitProgress) => {
        if (config.json) terminal.say(exitJson(progress));
        else terminal.say(describe(progress));
      };
      const { fromBlock } = config;
      const tokens = await chosenTokens(contract, config.only);
      const parts = { contract, keys, recipient, payerKey, minimum, maxFeePerGas, fromBlock, tokens };
      const owed = await exitRollup({ ...parts, signal, onProgress, pause });
      if (!config.json)
        terminal.say(
          owed.length === 0 ? `all is paid to ${recipient}` : 'the contract still owes what is said above',
        );
      return owed.length === 0 ? EXIT.done : EXIT.failed;
    });
  },
});
