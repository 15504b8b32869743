import { readFile } from 'node:fs/promises';
import { booleanOption, defineOptions, option, pathOption, reasonOf } from '@tetrad/service';
import { OperatorError, silentMetrics } from '@tetrad/types';
import { parseCoinAddress, createSigningPool, encodeSignature } from '@tetrad/wallet-key';
import { textEnvelope, WalletSigner, type RemoteCoinKeys } from '@tetrad/wallet-signing';
import { signingPolicy } from '../compose.js';
import { passphraseOptions, policyOptions, remoteKeyOptions, storageOptions } from '../config.js';
import { openRemoteKeys } from '../open-remote-keys.js';
import { openWallet } from '../open-wallet.js';
import { defineCommand, operator } from './define-command.js';

/** Options for the data to sign or verify. */
export const dataOptions = defineOptions({
  file: option(pathOption(), { description: 'Take the data from this file instead of hex digits.' }),
  raw: option(booleanOption(), {
    description: 'Sign the data as it is; by default it is signed as a personal message.',
    default: false,
  }),
});

export const signCommand = defineCommand({
  name: 'sign',
  usage: 'ADDRESS [HEX] [options]',
  words: [1, 2],
  summary: 'Signs data and prints the signature: hex of its type and bytes.',
  options: defineOptions({
    ...storageOptions,
    ...passphraseOptions,
    ...remoteKeyOptions,
    ...policyOptions,
    ...dataOptions,
  }),
  async run({ words, config, terminal, logger }) {
    const [text = '', hex] = words;
    const address = parseCoinAddress(text);
    const data = await readData(hex, config);
    const { store, sealer, close } = await openWallet(config, logger, { share: true, existing: true });
    const pool = createSigningPool({ workers: 0 });
    let remote: RemoteCoinKeys | undefined;
    try {
      remote = await openRemoteKeys(config, logger);
      const policy = signingPolicy(config);
      const signer = new WalletSigner({
        store,
        sealer,
        pool,
        remote,
        policy,
        metrics: silentMetrics,
        logger,
      });
      const signature = await signer.signData({ address, data, requester: operator() });
      terminal.say(Buffer.from(encodeSignature(signature)).toString('hex'));
    } finally {
      await pool.close();
      remote?.close();
      await close();
    }
  },
});

/**
 * The bytes that the words and options mean.
 * @throws OperatorError naming what is missing or unreadable
 */
export async function readData(
  hex: string | undefined,
  { file, raw }: { readonly file: string | undefined; readonly raw: boolean },
): Promise<Uint8Array> {
  if ((hex === undefined) === (file === undefined)) {
    throw new OperatorError('give the data as hex digits or with --file, and not both');
  }
  const data = file === undefined ? parseHex(hex ?? '', 'HEX') : await readBytes(file);
  return raw ? data : textEnvelope(data);
}

/** @throws OperatorError naming the argument */
export function parseHex(text: string, argument: string): Uint8Array {
  const digits = text.replace(/^0x/, '');
  if (!/^([0-9a-fA-F]{2})*$/.test(digits))
    throw new OperatorError(`${argument}: not an even number of hex digits`);
  return Buffer.from(digits, 'hex');
}

async function readBytes(file: string): Promise<Uint8Array> {
  return readFile(file).catch((error: unknown) => {
    throw new OperatorError(`--file: cannot read ${file}: ${reasonOf(error).replace(/, .*$/, '')}`);
  });
}
