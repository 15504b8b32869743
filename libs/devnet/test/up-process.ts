import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Endpoints } from '@tetrad/devnet';
import { until } from '@tetrad/testkit';
import { MAIN } from './tetrad-process.js';

/** A `./tetrad up` that was started. */
export interface Up {
  readonly child: ChildProcess;
  /** Its output so far. */
  said(): string;
  readonly ended: Promise<number | null>;
}

/**
 * Starts `up` with these words after it.
 * @param main - the program behind the launcher
 */
export function startUp(words: readonly string[], main = MAIN): Up {
  const child = spawn(process.execPath, [main, 'up', ...words], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = new Promise<number | null>((done) => child.once('close', done));
  return { child, said: () => text, ended };
}

/**
 * Waits until it is ready.
 * @returns what its endpoints file holds
 * @throws with its output, when it ends before
 */
export async function untilReady(one: Up, endpointsFile: string): Promise<Endpoints> {
  let over = false;
  void one.ended.then(() => (over = true));
  await until(() => over || one.said().includes('ready; Ctrl-C stops it'));
  if (over) throw new Error(one.said());
  return JSON.parse(await readFile(endpointsFile, 'utf8')) as Endpoints;
}
