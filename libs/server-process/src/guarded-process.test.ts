import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startGuarded, type GuardedProgram } from './guarded-process.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tetrad-guarded-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
function start(script: string, more: Partial<GuardedProgram> = {}) {
  const logFile = join(folder, String((count += 1)));
  const args = ['--eval', script];
  const server = startGuarded({ program: process.execPath, args, logFile, lastSignal: 'KILL', ...more });
  return { server, said: () => readFileSync(logFile, 'utf8') };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((tick) => setTimeout(tick, 20));
}

const FOR_EVER = 'console.log(process.pid); setInterval(() => {}, 1000)';

describe('a guarded process', () => {
  it('reports its own process id, and the signal that ended it', async () => {
    const { server, said } = start(FOR_EVER);
    await until(() => said().endsWith('\n'));
    const pid = await server.pid;
    expect(pid).toBe(Number(said()));
    process.kill(pid ?? 0, 'SIGKILL');
    expect(await server.exited).toBe('was ended by SIGKILL');
    expect(server.hasExited()).toBe(true);
  });

  it('reports its exit code', async () => {
    expect(await start('process.exit(3)').server.exited).toBe('ended with code 3');
  });

  it('is killed, also while it is paused, where that is its last signal', async () => {
    const { server } = start(FOR_EVER);
    const pid = (await server.pid) ?? 0;
    process.kill(pid, 'SIGSTOP');
    await server.stop(600_000, () => undefined);
    expect(await server.exited).toBe('was ended by SIGKILL');
  });

  it('may end in order where it is interrupted', async () => {
    const script =
      'process.on("SIGINT", () => process.exit(5)); console.log("up"); setInterval(() => {}, 1000)';
    const { server, said } = start(script, { lastSignal: 'INT' });
    await until(() => said() === 'up\n');
    await server.stop(600_000, () => undefined);
    expect(await server.exited).toBe('ended with code 5');
  });

  it('gets the environment that is given, and nothing of ours', async () => {
    const { server, said } = start('console.log(process.env.GIVEN, process.env.HOME)', {
      env: { GIVEN: 'given' },
    });
    await server.exited;
    expect(said()).toBe('given undefined\n');
  });
});
