import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '@tetrad/devnet';

/** Runs a program of the repository in a separate process, whose output is the figures as JSON. */
export async function measureBy(program: string, args: readonly string[] = []): Promise<unknown> {
  const child = spawn(process.execPath, [join(ROOT, program), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  await new Promise<void>((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => (code === 0 ? done() : fail(new Error(`${program} ended with ${code}`))));
  });
  return JSON.parse(output);
}
