import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';

/** A service in a process of its own. */
export interface ChildService {
  readonly pid: number;
  /** Resolves with the exit code, or null when a signal ended it. */
  readonly exited: Promise<number | null>;
  /** SIGTERM, and SIGKILL when that takes too long. */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

export interface ChildServiceOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** File to which its output is appended. */
  readonly logFile: string;
  /** Answers with success once the service is ready and has that process id. */
  readonly isReady: (pid: number) => Promise<boolean>;
  readonly readyTimeoutMs?: number;
  /** Aborts the start, and ends the process. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the service has been ready and ends unexpectedly; in words for people. */
  readonly onEnded?: ((how: string) => void) | undefined;
}

/** The service ended or did not become ready; the message has the cause, and where its log is. */
export class ChildServiceError extends Error {
  override readonly name = 'ChildServiceError';
}

/** A host may be busy; only time distinguishes a process that hangs from one that is slow. */
const READY_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 60_000;
const POLL_MS = 50;
/** Another program on the port of a service may accept a connection and never answer. */
const ANSWER_TIMEOUT_MS = 5_000;

/** Running children; all are ended when this process exits in any way that can be handled. */
const living = new Set<ChildProcess>();
const endAll = () => living.forEach((child) => child.kill('SIGKILL'));

function keep(child: ChildProcess): void {
  if (living.size === 0) process.on('exit', endAll);
  living.add(child);
}

function letGo(child: ChildProcess): void {
  living.delete(child);
  if (living.size === 0) process.off('exit', endAll);
}

/**
 * Starts the process and waits until it is ready.
 * @throws ChildServiceError; with the reason of the signal
 */
export async function startChildService(options: ChildServiceOptions): Promise<ChildService> {
  const child = spawn(options.command, options.args, {
    env: { ...process.env, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  keep(child);
  const output = collectOutput(child, options.logFile);
  let ended: string | undefined;
  const exited = new Promise<number | null>((done) => {
    child.once('exit', (code, signal) => {
      ended = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
      letGo(child);
      done(code);
    });
    child.once('error', (error) => {
      ended = `does not start: ${error.message}`;
      letGo(child);
      done(-1);
    });
  });
  const failed = (what: string) =>
    new ChildServiceError(`${options.name} ${what}: ${causeIn(output())}\n  its log: ${options.logFile}`);
  const deadline = Date.now() + (options.readyTimeoutMs ?? READY_TIMEOUT_MS);
  // Another program may answer once this process has ended.
  while (!(await isReady(child, options)) || ended !== undefined) {
    if (ended !== undefined) throw failed(ended);
    if (options.signal?.aborted === true) {
      await kill(child, exited);
      throw options.signal.reason;
    }
    if (Date.now() > deadline) {
      await kill(child, exited);
      throw failed('is not ready');
    }
    await new Promise((tick) => setTimeout(tick, POLL_MS));
  }
  let asked = false;
  void exited.then(() => {
    if (!asked) options.onEnded?.(child.signalCode === null ? `${ended}: ${causeIn(output())}` : `${ended}`);
  });
  const ask = (end: typeof stop) => {
    asked = true;
    return end(child, exited);
  };
  return { pid: child.pid as number, exited, stop: () => ask(stop), kill: () => ask(kill) };
}

function isReady({ pid }: ChildProcess, options: ChildServiceOptions): Promise<boolean> {
  return pid === undefined ? Promise.resolve(false) : options.isReady(pid).catch(() => false);
}

function collectOutput(child: ChildProcess, logFile: string): () => string {
  const log = createWriteStream(logFile, { flags: 'a' });
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      log.write(chunk);
      tail = (tail + chunk.toString()).slice(-8_192);
    });
  }
  child.once('close', () => log.end());
  return () => tail;
}

/** The line in which our service states why it ends; otherwise the last line of output. */
function causeIn(output: string): string {
  const lines = output.trim().split('\n');
  return lines.filter((line) => line.startsWith('tetrad ')).pop() ?? lines.slice(-3).join(' ');
}

async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(timer);
}

async function kill(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.kill('SIGKILL');
  await exited;
}

/**
 * Whether the operations port reports that the service is ready.
 * @param pid - of the process that must answer
 */
export async function isServiceReady(opsUrl: string, pid?: number): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const response = await fetch(`${opsUrl}/readyz`, { signal });
  await response.arrayBuffer();
  if (response.status !== 200 || pid === undefined) return response.status === 200;
  const version = (await (await fetch(`${opsUrl}/version`, { signal })).json()) as { pid?: unknown };
  return version.pid === pid;
}
