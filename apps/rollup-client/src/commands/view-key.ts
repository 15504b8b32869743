import { makeViewKey, periodOf, viewKeyText, writeViewKey } from '@tetrad/rollup-client';
import { LeafProver } from '@tetrad/rollup-circuits';
import { OptionError, booleanOption, defineOptions, option, pathOption, textOption } from '@tetrad/service';
import { openKeys, withContract } from '../open-account.js';
import { chainOptions, jsonOptions, keyOptions } from '../options.js';
import { periodOption } from '../period-option.js';
import { jsonText } from '../record-text.js';
import { EXIT, defineCommand } from './define-command.js';

export const viewKeyCommand = defineCommand({
  name: 'view-key',
  usage:
    '--contract ADDRESS --key-file FILE --password-file FILE --from BATCH|DATE --to BATCH|DATE --auditor TEXT --purpose TEXT --out FILE [options]',
  words: [0, 0],
  summary:
    'Writes a file that opens the operations of the account in a period, and nothing else, to an auditor who checks it by audit.',
  options: defineOptions({
    ...chainOptions,
    ...keyOptions,
    ...jsonOptions,
    from: option(periodOption('first'), {
      description: 'First batch of the period, or first day in UTC.',
      required: true,
    }),
    to: option(periodOption('last'), {
      description: 'Last batch of the period, or last day in UTC.',
      required: true,
    }),
    auditor: option(textOption(), { description: 'Who may rely on it; is signed.', required: true }),
    purpose: option(textOption(), { description: 'What it is for; is signed.', required: true }),
    out: option(pathOption(), { description: 'The file, which must not exist.', required: true }),
    skipReceivedProof: option(booleanOption(), {
      description:
        'Do not show that no received order is left out, which takes 135 bytes for each money order of all accounts in the period.',
      default: false,
    }),
  }),
  async run({ config, terminal }) {
    const { auditor, purpose, fromBlock } = config;
    for (const [flag, text] of Object.entries({ '--auditor': auditor, '--purpose': purpose }))
      if (!viewKeyText.safeParse(text).success)
        throw new OptionError(flag, 'must be one line of at most 200 characters');
    const keys = await openKeys(config);
    const prover = await LeafProver.open();
    try {
      return await withContract(config, async (contract) => {
        const period = await periodOf(contract, config, fromBlock);
        const showsAllReceived = !config.skipReceivedProof;
        const options = { ...period, auditor, purpose, fromBlock, prover, showsAllReceived };
        const signed = await makeViewKey(contract, keys, options);
        await writeViewKey(config.out, signed);
        const { account } = signed.viewKey;
        const said = { account: account.id, ...period, file: config.out };
        terminal.say(
          config.json
            ? jsonText(said)
            : `${config.out} opens account ${account.id} in batches ${period.from} to ${period.to}; each reader of the file can read that`,
        );
        return EXIT.done;
      });
    } finally {
      await prover.close();
    }
  },
});
