import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { locateSoftHsm } from '@tetrad/testkit';
import { isAddress, parseAddress, type Address } from '@tetrad/types';
import { printedBy } from './ask-program.js';
import { UsageError } from '../usage-error.js';

/** A token of SoftHSM that has the key of the network's signer. */
export interface SignerToken {
  readonly library: string;
  readonly tokenLabel: string;
  readonly pinFile: string;
  readonly keyLabel: string;
  /** By which SoftHSM finds the token. */
  readonly settingsFile: string;
}

const [TOKEN_LABEL, KEY_LABEL] = ['tetrad', 'signer'];
const PIN_DIGITS = 8;

/**
 * Initializes a token in the folder, and lets the program of the signer make its key there.
 *
 * @param folder - for the token alone; what an interrupted start left there is removed
 * @returns the token, and the address of its key
 * @throws UsageError when this host has no SoftHSM, or not what calls it
 */
export async function makeSignerToken(
  folder: string,
): Promise<{ readonly token: SignerToken; readonly address: Address }> {
  const located = locateSoftHsm();
  if ('problem' in located) throw new UsageError(`--signer-key-source pkcs11: ${located.problem}`);
  await rm(folder, { recursive: true, force: true });
  const tokens = join(folder, 'tokens');
  await mkdir(tokens, { recursive: true, mode: 0o700 });
  const token = {
    library: located.library,
    tokenLabel: TOKEN_LABEL,
    keyLabel: KEY_LABEL,
    pinFile: join(folder, 'pin'),
    settingsFile: join(folder, 'softhsm2.conf'),
  };
  const settings = `directories.tokendir = ${tokens}\nobjectstore.backend = file\nlog.level = ERROR\n`;
  await writeFile(token.settingsFile, settings);
  const [pin, officerPin] = [randomPin(), randomPin()];
  await writeFile(token.pinFile, `${pin}\n`, { mode: 0o600 });
  // SoftHSM takes PINs as arguments alone; nothing but this development network is behind them.
  const words = ['--init-token', '--free', '--label', TOKEN_LABEL, '--so-pin', officerPin, '--pin', pin];
  const env = { ...process.env, ...environmentOf(token) };
  await promisify(execFile)('softhsm2-util', words, { env }).catch(() => {
    throw new Error(`softhsm2-util could not initialize a token in ${folder}`);
  });
  const making = ['key', 'new', '--source', 'pkcs11', ...tokenFlags(token)];
  return { token, address: addressIn(await printedBy('signer', making, environmentOf(token))) };
}

/** The options of the signer and of its commands that name the key. */
export function tokenFlags({ library, tokenLabel, pinFile, keyLabel }: SignerToken): readonly string[] {
  return [
    '--pkcs11-library',
    library,
    '--pkcs11-token-label',
    tokenLabel,
    '--pkcs11-pin-file',
    pinFile,
    '--pkcs11-key-label',
    keyLabel,
  ];
}

/** For programs that open the token. */
export function environmentOf({ settingsFile }: SignerToken): Readonly<Record<string, string>> {
  return { SOFTHSM2_CONF: settingsFile };
}

const randomPin = () => Array.from({ length: PIN_DIGITS }, () => randomInt(10)).join('');

function addressIn(printed: string): Address {
  const address = /^address +(\S+)$/m.exec(printed)?.[1] ?? '';
  if (!isAddress(address)) throw new Error('signer key new printed no address');
  return parseAddress(address);
}
