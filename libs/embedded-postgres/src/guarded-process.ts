import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import type { Account } from './account.js';

/**
 * A server that does not outlive this process: a shell holds the other end of a pipe and shuts the server down
 * (fast shutdown, SIGINT) when the pipe closes, be it by `stop` or because this process was killed.
 */
export interface GuardedProcess {
  hasExited(): boolean;
  /** Resolves when it has ended, with how: `ended with code 1`. */
  readonly exited: Promise<string>;
  /** Asks the server to shut down and waits for it; after the time it is told to quit at once. */
  stop(timeoutMs: number, quit: () => Promise<void> | void): Promise<void>;
}

/** `read` meets the end of the pipe; the server itself gets neither end of it. */
const GUARD = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
(while read -r _; do :; done <&3; kill -INT "$server") 2>/dev/null &
watcher=$!
exec 3<&-
wait "$server"
code=$?
kill "$watcher" 2>/dev/null
exit $code
`;

export function startGuarded(
  account: Account,
  server: { readonly program: string; readonly args: readonly string[]; readonly logFile: string },
): GuardedProcess {
  const { file, args, options } = account.command('/bin/sh', [
    '-c',
    GUARD,
    'guard',
    server.program,
    ...server.args,
  ]);
  // A new file: what is left of a server that was killed still writes into the one it knows.
  rmSync(server.logFile, { force: true });
  const log = openSync(server.logFile, 'a', 0o600);
  // A session of its own, so that Ctrl-C reaches the service first, which then stops the database in order.
  const child = spawn(file, args, { ...options, cwd: '/', detached: true, stdio: ['pipe', log, log] });
  closeSync(log);
  let failed = false;
  const exited = new Promise<string>((done) => {
    child.once('error', (error) => {
      failed = true;
      done(`does not start: ${error.message}`);
    });
    child.once('exit', (code, signal) => done(signal === null ? howItEnded(code) : `was ended by ${signal}`));
  });
  child.stdin?.on('error', () => undefined);
  // The service's own work decides how long the process lives.
  child.unref();
  (child.stdin as unknown as { unref?(): void } | null)?.unref?.();
  const hasExited = () => failed || child.exitCode !== null || child.signalCode !== null;
  return {
    ...{ hasExited, exited },
    stop: (timeoutMs, quit) => (hasExited() ? Promise.resolve() : stop(child, timeoutMs, quit)),
  };
}

/** A shell gives 128 and the number of a signal for a program that one ended. */
function howItEnded(code: number | null): string {
  const name = Object.entries(constants.signals).find(([, number]) => number === Number(code) - 128)?.[0];
  return name === undefined ? `ended with code ${code}` : `was ended by ${name}`;
}

async function stop(child: ChildProcess, timeoutMs: number, quit: () => Promise<void> | void): Promise<void> {
  child.ref();
  const gone = new Promise<void>((done) => child.once('exit', () => done()));
  child.stdin?.end();
  const timer = setTimeout(() => void quit(), timeoutMs);
  await gone;
  clearTimeout(timer);
}

/** The last words of a server that did not come up. */
export async function lastLogLine(logFile: string): Promise<string> {
  const lines = (await readFile(logFile, 'utf8').catch(() => '')).trim().split('\n');
  const telling = lines.filter((line) => /FATAL|PANIC|error/i.test(line)).pop() ?? lines.pop() ?? '';
  return telling.replace(/^\S+ \S+ \S+ \[\d+\] /, '');
}
