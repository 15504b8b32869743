import { choiceOption, defineOptions, option } from '@tetrad/service';
import { OperatorError } from '@tetrad/types';
import { parseCoinAddress } from '@tetrad/wallet-address';
import { createSigningPool } from '@tetrad/wallet-signature';
import { verifyData } from '@tetrad/wallet-signing';
import { defineCommand } from './define-command.js';
import { dataOptions, parseHex, readData } from './sign.js';

export const verifyCommand = defineCommand({
  name: 'verify',
  usage: 'ADDRESS SIGNATURE [HEX] [options]',
  words: [2, 3],
  summary:
    'Says whether a signature, as sign prints it, is by the address. Needs no wallet; exit code 1 when it is not.',
  options: defineOptions({
    ...dataOptions,
    network: option(choiceOption('main', 'test'), {
      description: 'Letter of the addresses that are printed.',
      default: 'main' as const,
    }),
  }),
  async run({ words, config, terminal }) {
    const [text = '', signatureHex = '', hex] = words;
    const address = parseCoinAddress(text);
    const [type, ...bytes] = parseHex(signatureHex, 'SIGNATURE');
    if (type === undefined) throw new OperatorError('SIGNATURE: is empty');
    const data = await readData(hex, config);
    const signature = { type, data: Uint8Array.from(bytes) };
    const pool = createSigningPool({ workers: 0 });
    const valid = await verifyData({ pool, network: config.network }, { address, data, signature });
    await pool.close();
    terminal.say(valid ? 'valid' : 'invalid');
    return valid ? 0 : 1;
  },
});
