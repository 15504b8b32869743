import { choiceOption, defineOptions, option } from '@tetrad/service';
import { OperatorError } from '@tetrad/types';
import { parseCoinAddress, createSigningPool } from '@tetrad/wallet-key';
import { verifyData } from '@tetrad/wallet-signing';
import { defineCommand } from './define-command.js';
import { dataOptions, parseHex, readData } from './sign.js';

export const verifyCommand = defineCommand({
  name: 'verify',
  usage: 'ADDRESS SIGNATURE [HEX] [options]',
  words: [2, 3],
  summary:
    'Verifies that a signature, as printed by sign, was made by the address. Needs no wallet; exits with code 1 when it was not.',
  options: defineOptions({
    ...dataOptions,
    network: option(choiceOption('main', 'test'), {
      description: 'Network prefix of printed addresses.',
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
