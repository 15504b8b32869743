import { chmod, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FrameReader, frameOf } from './bb-frames.js';
import { makeBbFolder, pointsFolderOf, removeBbFolder } from './points/bb-folder.js';
import { findBb, startBb } from './start-bb.js';

let folder: string;
beforeEach(async () => {
  folder = await makeBbFolder(pointsFolderOf(undefined));
});
afterEach(() => removeBbFolder(folder));

/** A program that does something before it is `bb`, or instead. */
async function programOf(script: string): Promise<string> {
  const program = join(folder, 'program');
  await writeFile(program, `#!/bin/sh\n${script}\n`);
  await chmod(program, 0o700);
  return program;
}

const inputs = [{ inputs: [] }, { inputs: [new Uint8Array(32), new Uint8Array(32)] }];

describe('starting bb', () => {
  it('waits for a socket that a busy host opens late, longer than the library would', async () => {
    const program = await programOf(`sleep 6; exec '${findBb()}' "$@"`);
    const api = await startBb(folder, 1, { program });
    const hashes = await Promise.all(inputs.map((input) => api.poseidon2Hash(input)));
    expect(hashes.map(({ hash }) => hash.length)).toEqual([32, 32]);
    await api.destroy();
    await expect(api.poseidon2Hash({ inputs: [] })).rejects.toThrow('bb was stopped');
    expect((await readdir(folder)).filter((name) => name.endsWith('.sock'))).toEqual([]);
  });

  it('says how a program ended that opened none', async () => {
    await expect(startBb(folder, 1, { program: await programOf('exit 3') })).rejects.toThrow(
      'bb ended with code 3',
    );
    await expect(startBb(folder, 1, { program: join(folder, 'none') })).rejects.toThrow('ENOENT');
  });

  it('gives up on a program that opens none, and ends it', async () => {
    const program = await programOf(`echo $$ > '${join(folder, 'pid')}'; exec sleep 600`);
    await expect(startBb(folder, 1, { program, startMs: 5_000 })).rejects.toThrow(
      'bb opened no socket in 5000 ms',
    );
    const pid = Number(await readFile(join(folder, 'pid'), 'utf8'));
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});

describe('messages of bb', () => {
  it.each([1, 3, 4, 5, 1_000])('are read from chunks of %d bytes', (size) => {
    const messages = [[], [1], [2, 3, 4, 5, 6], Array.from({ length: 300 }, () => 7)];
    const bytes = Buffer.concat(messages.map((message) => frameOf(Uint8Array.from(message))));
    const read: number[][] = [];
    const reader = new FrameReader((message) => read.push([...message]));
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
    expect(read).toEqual(messages);
  });

  it('are refused when they announce more than there can be', () => {
    const reader = new FrameReader(() => undefined);
    expect(() => reader.push(Buffer.from('ffffffff', 'hex'))).toThrow('an answer of 4294967295 bytes');
  });
});
