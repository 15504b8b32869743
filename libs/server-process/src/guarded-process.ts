import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { closeSync, openSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';

/**
 * A server that does not outlive this process: a shell holds the other end of a pipe and sends the server its last
 * signal when the pipe closes, by `stop` or because this process was killed.
 */
export interface GuardedProcess {
  hasExited(): boolean;
  /** Resolves when it has ended, with the reason: `ended with code 1`. */
  readonly exited: Promise<string>;
  /** The server's own process id, not the shell's; undefined when it ended before the id was known. */
  readonly pid: Promise<number | undefined>;
  /** Sends the last signal and waits for the end; after the time limit it calls `quit`. */
  stop(timeoutMs: number, quit: () => Promise<void> | void): Promise<void>;
}

export interface GuardedProgram {
  readonly program: string;
  readonly args: readonly string[];
  /** File for the standard output and error of this start. */
  readonly logFile: string;
  /** The signal that it gets when its owner stops it or dies: INT to shut down in order, KILL where it may be paused. */
  readonly lastSignal: 'INT' | 'KILL';
  /** Its environment; without it this process's own. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The command and options that run a program, for example as another user. */
export type Launch = (
  program: string,
  args: readonly string[],
) => { readonly file: string; readonly args: readonly string[]; readonly options: SpawnOptions };

/**
 * `read` meets the end of the pipe; the server itself gets neither end of it. Its process id goes to descriptor 3.
 * Takes the last signal, program, arguments of the program ….
 */
const GUARD = `
signal=$1
shift
exec 4<&0
"$@" </dev/null 3>&- 4<&- &
server=$!
(while read -r _; do :; done <&4; kill -s "$signal" "$server") 2>/dev/null 3>&- &
watcher=$!
echo "$server" >&3
exec 3>&- 4<&-
wait "$server"
code=$?
kill "$watcher" 2>/dev/null
exit $code
`;

const asThisUser: Launch = (file, args) => ({ file, args, options: {} });

export function startGuarded(server: GuardedProgram, launch: Launch = asThisUser): GuardedProcess {
  const guard = ['-c', GUARD, 'guard', server.lastSignal, server.program, ...server.args];
  const { file, args, options } = launch('/bin/sh', guard);
  // A new file: what is left of a server that was killed still writes into the one it knows.
  rmSync(server.logFile, { force: true });
  const log = openSync(server.logFile, 'a', 0o600);
  const child = spawn(file, args, {
    ...options,
    ...(server.env === undefined ? {} : { env: { ...server.env } }),
    cwd: '/',
    // A session of its own, so that Ctrl-C reaches the owner first, which then stops the server in order.
    detached: true,
    stdio: ['pipe', log, log, 'pipe'],
  });
  closeSync(log);
  return guardedProcess(child);
}

function guardedProcess(child: ChildProcess): GuardedProcess {
  let failed = false;
  const exited = new Promise<string>((done) => {
    child.once('error', (error) => {
      failed = true;
      done(`does not start: ${error.message}`);
    });
    child.once('exit', (code, signal) => done(signal === null ? howItEnded(code) : `was ended by ${signal}`));
  });
  child.stdin?.on('error', () => undefined);
  // The guard alone must not keep this process alive.
  child.unref();
  (child.stdin as unknown as { unref?(): void } | null)?.unref?.();
  const hasExited = () => failed || child.exitCode !== null || child.signalCode !== null;
  return {
    hasExited,
    exited,
    pid: readPid(child.stdio[3] as Readable | undefined),
    stop: (timeoutMs, quit) => (hasExited() ? Promise.resolve() : stop(child, timeoutMs, quit)),
  };
}

/** The guard writes one line of digits and closes. */
function readPid(pipe: Readable | undefined): Promise<number | undefined> {
  return new Promise((done) => {
    let text = '';
    const end = () => done(Number(text) > 0 ? Number(text) : undefined);
    if (pipe === undefined) return end();
    pipe.on('data', (chunk: Buffer) => (text += chunk.toString()));
    pipe.once('error', end);
    pipe.once('close', end);
  });
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
