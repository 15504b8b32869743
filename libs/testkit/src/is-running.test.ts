import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { isRunning } from './is-running.js';
import { until } from './until.js';

describe('whether a process runs', () => {
  it('is reported for this process, and for one that has ended and was reaped', async () => {
    expect(isRunning(process.pid)).toBe(true);
    const child = spawn(process.execPath, ['-e', '']);
    await new Promise((done) => child.once('exit', done));
    expect(isRunning(child.pid ?? 0)).toBe(false);
  });

  (existsSync('/proc/self/stat') ? it : it.skip)('is denied of a zombie', async () => {
    // The shell becomes a process that never reaps its child.
    const shell = spawn('/bin/sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const text = await new Promise<Buffer>((done) => shell.stdout.once('data', done));
      const child = Number(text.toString());
      // A shell that has not become the other process yet would reap what is killed.
      await until(() => commandOf(shell.pid) === 'sleep');
      process.kill(child, 'SIGKILL');
      await until(() => !isRunning(child));
      expect(process.kill(child, 0)).toBe(true);
    } finally {
      shell.kill('SIGKILL');
    }
  });
});

function commandOf(pid: number | undefined): string {
  return readFileSync(`/proc/${pid}/comm`, 'latin1').trim();
}
