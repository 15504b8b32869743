import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FrameReader, frameOf } from './bb-frames.js';
import { CircuitError } from './circuit-cache.js';

export interface BbProcessOptions {
  /** The `bb` program. */
  readonly program: string;
  /** Folder of its points, and of its socket. */
  readonly folder: string;
  /** How many threads it may use; all cores, up to 16, by default. */
  readonly threads?: number | undefined;
  /** Time in which it must open its socket, in ms. */
  readonly startMs?: number | undefined;
}

/** A host that is busy stands still for seconds, and the library's own five are too few for it. */
const START_MS = 120_000;
const BETWEEN_TRIES_MS = 20;
const MAX_THREADS = 16;

interface PendingCall {
  readonly resolve: (answer: Uint8Array) => void;
  readonly reject: (error: Error) => void;
}

/** A `bb` program, which answers calls over a socket, one after the other. It ends with this process. */
export class BbProcess {
  /** In the order in which they were sent, which is that of the answers. */
  private readonly pending: PendingCall[] = [];
  private readonly frames = new FrameReader((answer) => this.pending.shift()?.resolve(answer));
  private failure: CircuitError | undefined;

  private constructor(
    private readonly child: RunningChild,
    private readonly socket: Socket,
    private readonly path: string,
  ) {
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.on('error', (error) => this.fail(new CircuitError(`the socket of bb: ${error.message}`)));
    socket.on('close', () => this.fail(new CircuitError('bb closed its socket')));
    void child.ended.then((end) => this.fail(new CircuitError(`bb ended ${end}`)));
    socket.unref();
  }

  /**
   * Starts the program, and waits until its socket is open, for as long as it runs.
   *
   * @param options - which program, with which points
   * @returns what takes calls
   * @throws CircuitError when it ends before, or opens no socket in time
   */
  static async start({ program, folder, threads, startMs = START_MS }: BbProcessOptions): Promise<BbProcess> {
    const path = join(folder, `${randomUUID().slice(0, 8)}.sock`);
    const child = new RunningChild(
      spawn(program, ['msgpack', 'run', '--input', path], {
        stdio: 'ignore',
        env: { ...process.env, CRS_PATH: folder, HARDWARE_CONCURRENCY: String(threads ?? maxThreads()) },
      }),
    );
    try {
      return new BbProcess(child, await connected(path, child, startMs), path);
    } catch (error) {
      await child.kill();
      await rm(path, { force: true });
      throw error;
    }
  }

  /**
   * Sends a call.
   * @returns its answer
   * @throws CircuitError when the program has ended, or ends
   */
  call(input: Uint8Array): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      if (this.failure !== undefined) return reject(this.failure);
      // Work that is under way keeps this process alive.
      this.socket.ref();
      this.pending.push({ resolve, reject });
      this.socket.write(frameOf(input));
    });
  }

  /** Ends the program, and with it the calls that it has not answered. */
  async destroy(): Promise<void> {
    this.fail(new CircuitError('bb was stopped'));
    await this.child.kill();
    await rm(this.path, { force: true });
  }

  private take(chunk: Buffer): void {
    try {
      this.frames.push(chunk);
    } catch (error) {
      this.fail(error as CircuitError);
    }
    if (this.pending.length === 0) this.socket.unref();
  }

  private fail(error: CircuitError): void {
    this.failure ??= error;
    for (const { reject } of this.pending.splice(0)) reject(this.failure);
    this.socket.destroy();
  }
}

const maxThreads = () => Math.min(availableParallelism(), MAX_THREADS);

/** A child whose end can be waited for, also when it could not be started. */
class RunningChild {
  /** How it ended, for people. */
  readonly ended: Promise<string>;
  hasEnded = false;

  constructor(private readonly child: ChildProcess) {
    this.ended = new Promise((resolve) => {
      const end = (how: string) => {
        this.hasEnded = true;
        resolve(how);
      };
      child.once('error', (error) => end(`before it began: ${error.message}`));
      child.once('exit', (code, signal) => end(signal === null ? `with code ${code}` : `by ${signal}`));
    });
    // It watches its parent, and ends with it.
    child.unref();
  }

  async kill(): Promise<void> {
    if (this.hasEnded) return;
    this.child.ref();
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

/**
 * @returns the socket, once there is one
 * @throws CircuitError
 */
async function connected(path: string, child: RunningChild, startMs: number): Promise<Socket> {
  const end = performance.now() + startMs;
  for (;;) {
    // Read before the attempt: a program that ended leaves nothing to connect to.
    const { hasEnded } = child;
    const socket = await tryToConnect(path);
    if (socket !== undefined) return socket;
    if (hasEnded) throw new CircuitError(`bb ended ${await child.ended}`);
    if (performance.now() >= end) throw new CircuitError(`bb opened no socket in ${startMs} ms`);
    await sleep(BETWEEN_TRIES_MS);
  }
}

/** Before the program listens there is no file, and then one that refuses. */
function tryToConnect(path: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const isTooEarly = error.code === 'ENOENT' || error.code === 'ECONNREFUSED';
      if (isTooEarly) resolve(undefined);
      else reject(new CircuitError(`the socket of bb: ${error.message}`, { cause: error }));
    });
  });
}
