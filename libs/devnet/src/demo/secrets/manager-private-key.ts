import { spawn } from 'node:child_process';
import { ROOT } from '../../paths.js';

/** Reads a key file and its password from standard input, and prints the private key as hex. */
const PROGRAM = `
import { text } from 'node:stream/consumers';
import { decryptKeyFile } from '@tetrad/transaction-manager';
const { file, password } = JSON.parse(await text(process.stdin));
process.stdout.write(Buffer.from(await decryptKeyFile(file, 'key file', password)).toString('hex'));
`;

/**
 * The private key in a key file of a manager, decrypted by a process of its own: tools depend on no domain library.
 * @throws Error when the password does not open the file
 */
export async function managerPrivateKey(file: string, password: string): Promise<Uint8Array> {
  const words = ['--input-type=module', '--eval', PROGRAM];
  const child = spawn(process.execPath, words, { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] });
  let hex = '';
  child.stdout.on('data', (chunk: Buffer) => (hex += chunk.toString()));
  const ended = new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  child.stdin.end(JSON.stringify({ file, password }));
  if ((await ended) !== 0) throw new Error('the key file of a manager cannot be opened');
  return Buffer.from(hex, 'hex');
}
