import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRollupKeyFile } from '@tetrad/rollup-client';
import { decodePoint, encodePoint, multiplyGenerator } from '@tetrad/rollup-crypto';
import { loadConfig, parseCommandLine } from '@tetrad/service';
import { bytesFromHex, hexFromBytes } from '@tetrad/types';
import { openOperatorSecrets } from '../open-operator-secret.js';
import { newKey, newKeyOptions, type NewKeyConfig } from './new-key.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-new-key-'));
  await writeFile(join(folder, 'password'), 'open sesame\n');
  await writeFile(join(folder, 'empty'), '\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function configOf(keyFile: string, passwordFile = 'password'): NewKeyConfig {
  const words = ['--key-file', join(folder, keyFile), '--password-file', join(folder, passwordFile)];
  return loadConfig({
    service: 'rollup-operator',
    options: newKeyOptions,
    environment: {},
    commandLine: parseCommandLine(words, newKeyOptions),
  });
}

/** The operator's configuration for the key file. */
function secretConfig(operatorKey: string) {
  const point = decodePoint(bytesFromHex(operatorKey));
  if (point === undefined) throw new Error(`${operatorKey} is not a point`);
  return {
    operatorKey: point,
    operatorKeyFile: join(folder, 'key'),
    operatorKeyPasswordFile: join(folder, 'password'),
    formerOperatorKeyFiles: [],
  };
}

describe('the command new-key', () => {
  it('prints the public half of the key in the file, and never overwrites one', async () => {
    const { operatorKey } = await newKey(configOf('key'));
    const [secret] = await openOperatorSecrets(secretConfig(operatorKey));
    expect(hexFromBytes(encodePoint(multiplyGenerator(secret as bigint)))).toBe(operatorKey);
    const other = hexFromBytes(encodePoint(multiplyGenerator(5n)));
    await expect(openOperatorSecrets(secretConfig(other))).rejects.toThrow('is not of the --operator-key');
    const before = await readFile(join(folder, 'key'), 'utf8');
    await expect(newKey(configOf('key'))).rejects.toThrow(join(folder, 'key'));
    expect(await readFile(join(folder, 'key'), 'utf8')).toBe(before);
  });

  it('makes a key that may follow on another one, which stays readable', async () => {
    const make = async (name: string) => {
      // As the command does, but that a look into the file takes no second.
      const made = await createRollupKeyFile(join(folder, name), 'open sesame', { scryptN: 4_096 });
      return hexFromBytes(encodePoint(made.encryptionPoint));
    };
    const [former, operatorKey] = [await make('former'), await make('next')];
    const config = secretConfig(operatorKey);
    const secrets = await openOperatorSecrets({
      ...config,
      operatorKeyFile: join(folder, 'next'),
      formerOperatorKeyFiles: [join(folder, 'former')],
    });
    const keys = secrets.map((secret) => hexFromBytes(encodePoint(multiplyGenerator(secret))));
    expect(keys).toEqual([operatorKey, former]);
  });

  it('makes what the operator opens with a password only', async () => {
    const unset = { ...secretConfig(hexFromBytes(encodePoint(multiplyGenerator(5n)))) };
    await expect(openOperatorSecrets({ ...unset, operatorKeyPasswordFile: undefined })).rejects.toThrow(
      '--operator-key-password-file',
    );
    await expect(openOperatorSecrets({ ...unset, operatorKeyFile: undefined })).rejects.toThrow(
      '--operator-key-file: is required: batches of others are read with it',
    );
  });

  it('refuses an empty password', async () => {
    await expect(newKey(configOf('other', 'empty'))).rejects.toThrow('the password file is empty');
  });
});
