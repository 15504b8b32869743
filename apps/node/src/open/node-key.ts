import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { generatePrivateKey, isPrivateKey } from '@tetrad/crypto';
import { makeDataFolder, writeWhole } from '@tetrad/files';
import { reasonOf } from '@tetrad/service';
import { OperatorError } from '@tetrad/types';

/**
 * The node key in the file: 64 hex digits, as GoQuorum's `nodekey`.
 * @param create - make a key, readable by its owner only, when the file does not exist
 * @throws OperatorError naming the file
 */
export async function readNodeKey(path: string, create: boolean): Promise<Uint8Array> {
  const text = await readFile(path, 'utf8').catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || !create)
      throw new OperatorError(`node key file ${path}: ${reasonOf(error)}`);
    return createNodeKey(path);
  });
  const digits = text.trim().replace(/^0x/, '');
  const key = /^[0-9a-fA-F]{64}$/.test(digits) ? Buffer.from(digits, 'hex') : undefined;
  if (key === undefined || !isPrivateKey(key)) {
    throw new OperatorError(`node key file ${path}: must hold a private key as 64 hex digits`);
  }
  return key;
}

/** Written to disk before it is used: a validator that loses its key can stop its chain. */
async function createNodeKey(path: string): Promise<string> {
  const text = Buffer.from(generatePrivateKey()).toString('hex');
  await makeDataFolder(dirname(path));
  await writeWhole(path, `${text}\n`, 0o600);
  return text;
}
