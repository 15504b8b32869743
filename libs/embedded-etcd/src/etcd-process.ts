import { connect } from 'node:net';
import { isLoopbackPortFree, startGuarded, type GuardedProcess } from '@tetrad/server-process';
import { EmbeddedEtcdError } from './embedded-etcd-error.js';
import { etcdEnvironment } from './find-etcd.js';
import { lastComplaint } from './etcd-log.js';

const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 30_000;
const KILL_TIMEOUT_MS = 60_000;
const LOOK_AGAIN_MS = 20;

/** A port of a member belongs to another process. */
export class PortTakenError extends EmbeddedEtcdError {
  override readonly name = 'PortTakenError';
  override readonly code = 'EMBEDDED_ETCD_PORT_TAKEN';

  constructor(
    member: string,
    readonly port: number,
  ) {
    super(`port ${port} of ${member} is taken by another process`);
  }
}

/**
 * Starts one etcd, which ends with this process. Resolves when it listens; it answers when it has a quorum.
 * @throws PortTakenError; EmbeddedEtcdError with etcd's own message when it ends
 */
export async function startEtcdProcess(parts: {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly logFile: string;
  readonly clientPort: number;
  readonly peerPort: number;
}): Promise<GuardedProcess> {
  const { name, program, args, logFile } = parts;
  for (const port of [parts.clientPort, parts.peerPort])
    if (!(await isLoopbackPortFree(port))) throw new PortTakenError(name, port);
  // A paused member ends too when this process is killed; etcd has everything that it confirmed on the disk.
  const server = startGuarded({ program, args, logFile, lastSignal: 'KILL', env: etcdEnvironment() });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && !server.hasExited()) {
    if (await accepts(parts.clientPort)) return server;
    await new Promise((tick) => setTimeout(tick, LOOK_AGAIN_MS));
  }
  await killEtcd(server);
  throw new EmbeddedEtcdError(`${name} did not start: ${await howItFailed(server, logFile)}`);
}

/** The reason in words for people. */
export async function howItFailed(server: GuardedProcess, logFile: string): Promise<string> {
  const how = server.hasExited() ? await server.exited : 'it does not answer';
  return `${(await lastComplaint(logFile)) || how} (see ${logFile})`;
}

/** Stops it in order, also when it is paused; after a time it is killed. */
export async function stopEtcd(server: GuardedProcess): Promise<void> {
  await signalEtcd(server, 'SIGTERM');
  await signalEtcd(server, 'SIGCONT');
  if (await endsWithin(server, STOP_TIMEOUT_MS)) return;
  await killEtcd(server);
}

/**
 * Resolves when it is gone.
 * @throws EmbeddedEtcdError when the system does not end it
 */
export async function killEtcd(server: GuardedProcess): Promise<void> {
  await signalEtcd(server, 'SIGKILL');
  if (!(await endsWithin(server, KILL_TIMEOUT_MS)))
    throw new EmbeddedEtcdError('a member does not end although it was killed');
}

/** Nothing happens when it has ended. */
export async function signalEtcd(
  server: GuardedProcess,
  signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT',
): Promise<void> {
  const pid = await server.pid;
  if (pid === undefined || server.hasExited()) return;
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The timer keeps this process alive, which the server does not. */
async function endsWithin(server: GuardedProcess, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((done) => (timer = setTimeout(done, timeoutMs, false)));
  const isOver = await Promise.race([server.exited.then(() => true), late]);
  clearTimeout(timer);
  return isOver;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}
