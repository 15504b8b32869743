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
  /** Where its output goes; appended. */
  readonly logFile: string;
  /** Answers with success once the service is ready. */
  readonly isReady: () => Promise<boolean>;
  readonly readyTimeoutMs?: number;
}

/** The service ended or did not become ready; the message has the end of its output. */
export class ChildServiceError extends Error {
  override readonly name = 'ChildServiceError';
}

/** A machine may be busy with much else; a process that hangs is told from one that is slow by nothing but time. */
const READY_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

/** Starts the process and waits until it is ready. Fails: ChildServiceError. */
export async function startChildService(options: ChildServiceOptions): Promise<ChildService> {
  const child = spawn(options.command, options.args, {
    env: { ...process.env, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collectOutput(child, options.logFile);
  const exited = new Promise<number | null>((done) => {
    child.once('exit', done);
    child.once('error', () => done(-1));
  });
  let ended = false;
  void exited.then(() => (ended = true));
  const deadline = Date.now() + (options.readyTimeoutMs ?? READY_TIMEOUT_MS);
  while (!(await options.isReady().catch(() => false))) {
    if (ended)
      throw new ChildServiceError(
        `${options.name} ended: ${output().trim().split('\n').slice(-3).join(' ')}`,
      );
    if (Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new ChildServiceError(
        `${options.name} is not ready: ${output().trim().split('\n').slice(-3).join(' ')}`,
      );
    }
    await new Promise((tick) => setTimeout(tick, POLL_MS));
  }
  return {
    pid: child.pid as number,
    exited,
    stop: () => stop(child, exited),
    kill: () => kill(child, exited),
  };
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

/** Whether the operations port says that the service is ready. */
export async function isServiceReady(opsUrl: string): Promise<boolean> {
  const response = await fetch(`${opsUrl}/readyz`);
  await response.arrayBuffer();
  return response.status === 200;
}
