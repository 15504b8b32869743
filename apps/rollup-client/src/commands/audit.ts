import { auditViewKey, readViewKey, type AuditReport, type RollupContract } from '@tetrad/rollup-client';
import { LeafProver } from '@tetrad/rollup-circuits';
import { OptionError, booleanOption, defineOptions, option, pathOption, textOption } from '@tetrad/service';
import { OperatorError } from '@tetrad/types';
import { csvLines } from '../audit-csv.js';
import { describeAudit, jsonLines } from '../audit-text.js';
import { dispel } from '../doubts.js';
import { withContract } from '../open-account.js';
import { chainOptions, jsonOptions, sureOptions } from '../options.js';
import { doubtOfContract } from '../verified-contract.js';
import { EXIT, defineCommand } from './define-command.js';

export const auditCommand = defineCommand({
  name: 'audit',
  usage: '--contract ADDRESS --view-key FILE [options]',
  words: [0, 0],
  summary:
    'Checks a view key against the contract, and prints what the account did and held in its period; fails with what is wrong, and where.',
  options: defineOptions({
    ...chainOptions,
    ...sureOptions,
    ...jsonOptions,
    viewKey: option(pathOption(), {
      description: 'The file that the holder made by view-key.',
      required: true,
    }),
    auditor: option(textOption(), { description: 'For whom it must be made; default: anyone.' }),
    csv: option(booleanOption(), {
      description: 'One operation per line, as comma-separated values; amounts are in units of the rollup.',
      default: false,
    }),
  }),
  async run({ config, terminal }) {
    if (config.csv && config.json) throw new OptionError('--csv', 'is not for --json');
    const signed = await readViewKey(config.viewKey);
    const { auditor } = signed.viewKey;
    if (config.auditor !== undefined && config.auditor !== auditor)
      throw new OperatorError(`the view key is for ${auditor}, not for ${config.auditor}`);
    const verifier = await LeafProver.open();
    try {
      return await withContract(config, async (contract) => {
        const doubts = [await doubtOfContract(contract, config)];
        await dispel(doubts, { isSure: config.yes, terminal, what: 'audited' });
        const { fromBlock } = config;
        const report = await auditViewKey(contract, signed, { verifier, fromBlock });
        for (const line of await linesOf(report, contract, config)) terminal.say(line);
        return EXIT.done;
      });
    } finally {
      await verifier.close();
    }
  },
});

async function linesOf(
  report: AuditReport,
  contract: RollupContract,
  { json, csv }: { readonly json: boolean; readonly csv: boolean },
): Promise<readonly string[]> {
  if (json) return jsonLines(report);
  if (csv) return csvLines(report);
  const count = await contract.tokenCount();
  const tokens = await Promise.all(Array.from({ length: count }, (_, id) => contract.token(id)));
  return describeAudit(report, tokens);
}
