import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { threadFile, type Clock } from '@tetrad/types';
import { RemoteKeyError } from '../remote-key-error.js';
import type { Pkcs11Call, Pkcs11Fault, Pkcs11Reply, Pkcs11Request } from './pkcs11-messages.js';

interface Pending {
  readonly done: (answer: Uint8Array) => void;
  readonly fail: (error: RemoteKeyError) => void;
  readonly cancelTimer: () => void;
}

export interface LibraryProcessOptions {
  /** For messages. */
  readonly name: string;
  readonly clock: Clock;
  /** A call that takes longer ends the process. */
  readonly timeoutMs: number;
  /** Calls under way at most. */
  readonly sessions: number;
  /** Called once, when the process must not be used for further calls. */
  readonly onBroken: (self: LibraryProcess) => void;
}

/** Without the settings of the service, such as its database and the password of it, which no library needs. */
function environmentOfLibrary(): NodeJS.ProcessEnv {
  const own = /^(?:TETRAD|WEB3SIGNER|ETHSIGNER)_/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}

/** A process that has loaded the library of a token. */
export class LibraryProcess {
  private readonly pending = new Map<number, Pending>();
  private readonly child: ChildProcess;
  private nextId = 1;
  private isBroken = false;

  constructor(private readonly options: LibraryProcessOptions) {
    const file = threadFile(import.meta.url, './pkcs11-process.js', '../../dist/pkcs11/pkcs11-process.js');
    this.child = fork(fileURLToPath(file), [], {
      serialization: 'advanced',
      execArgv: [],
      // Libraries print what they like, and find their settings in the environment.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { ...environmentOfLibrary(), UV_THREADPOOL_SIZE: String(Math.max(4, options.sessions)) },
    });
    this.child.on('message', (message) => this.take(message as Pkcs11Reply));
    this.child.on('exit', (code, signal) => this.hasEnded(signal ?? `code ${code}`));
    this.child.on('error', () => this.hasEnded('an error'));
    this.keepAlive(false);
  }

  /**
   * Passes a call to the library.
   *
   * @throws RemoteKeyError; FAILED when the process ended, and the call may have been carried out
   */
  call(what: Pkcs11Call): Promise<Uint8Array> {
    const { name, clock, timeoutMs } = this.options;
    return new Promise((done, fail) => {
      const id = this.nextId++;
      const cancelTimer = clock.schedule(timeoutMs, () => {
        fail(
          new RemoteKeyError(
            'TIMED_OUT',
            `${name}: no answer in ${timeoutMs} ms; its library is started again`,
          ),
        );
        this.pending.delete(id);
        this.setBroken();
        this.child.kill('SIGKILL');
      });
      this.pending.set(id, { done, fail, cancelTimer });
      this.keepAlive(true);
      const request: Pkcs11Request = { id, what };
      this.child.send(request, (error) => {
        if (error !== null)
          this.settle(id, ({ fail: give }) => give(this.errorOf('UNREACHABLE', 'the library ended')));
      });
    });
  }

  /** It ends when the calls under way are done. */
  retire(): void {
    this.setBroken();
    this.endWhenIdle();
  }

  private take(reply: Pkcs11Reply): void {
    this.settle(reply.id, ({ done, fail }) => {
      if ('answer' in reply) done(reply.answer);
      else fail(this.errorOf(reply.fault.code, reply.fault.message));
    });
    if ('fault' in reply && reply.fault.isBroken) this.setBroken();
    this.endWhenIdle();
  }

  private hasEnded(how: string): void {
    this.setBroken();
    for (const id of [...this.pending.keys()])
      this.settle(id, ({ fail }) => fail(this.errorOf('FAILED', `the library ended with ${how}`)));
  }

  private settle(id: number, tell: (pending: Pending) => void): void {
    const pending = this.pending.get(id);
    if (pending === undefined) return;
    this.pending.delete(id);
    pending.cancelTimer();
    if (this.pending.size === 0) this.keepAlive(false);
    tell(pending);
  }

  private setBroken(): void {
    if (this.isBroken) return;
    this.isBroken = true;
    this.options.onBroken(this);
  }

  private endWhenIdle(): void {
    if (this.isBroken && this.pending.size === 0) this.child.kill('SIGKILL');
  }

  private errorOf(code: Pkcs11Fault['code'], message: string): RemoteKeyError {
    return new RemoteKeyError(code, `${this.options.name}: ${message}`);
  }

  /** A process without a call under way does not keep its owner from ending. */
  private keepAlive(isWanted: boolean): void {
    if (isWanted) {
      this.child.ref();
      this.child.channel?.ref();
    } else {
      this.child.unref();
      this.child.channel?.unref();
    }
  }
}
