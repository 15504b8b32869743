import type * as nodeCrypto from 'node:crypto';
import type * as workerThreads from 'node:worker_threads';
import { Worker } from 'node:worker_threads';
import { DERIVED_BYTES, derivationMemory, type KeyDerivation } from './key-derivation.js';

/** One job of a thread; the password's bytes move to it and are overwritten there. */
interface Job {
  readonly derivation: KeyDerivation;
  readonly password: Uint8Array;
  readonly length: number;
  readonly maxmem: number;
}

type Answer = { readonly derived: Uint8Array } | { readonly failure: string };

/** A thread of its own that derives one key at a time. */
export interface DerivationThread {
  /** Fails: Error when the thread died or the parameters are impossible; nothing secret in it. */
  derive(derivation: KeyDerivation, password: Uint8Array): Promise<Uint8Array>;
  stop(): Promise<void>;
}

/**
 * The program of the thread. It is passed as source text, so that it runs the same from a build and from a test
 * without one; hence it uses only its two arguments and the language itself.
 */
function serveDerivations(
  { parentPort }: typeof workerThreads,
  { scryptSync, pbkdf2Sync }: typeof nodeCrypto,
): void {
  parentPort?.on('message', ({ derivation, password, length, maxmem }: Job) => {
    try {
      const { salt } = derivation;
      const derived =
        derivation.kdf === 'scrypt'
          ? scryptSync(password, salt, length, { N: derivation.n, r: derivation.r, p: derivation.p, maxmem })
          : pbkdf2Sync(password, salt, derivation.c, length, 'sha256');
      parentPort.postMessage({ derived: new Uint8Array(derived) });
    } catch (error) {
      parentPort.postMessage({ failure: error instanceof Error ? error.message : 'unknown' });
    } finally {
      password.fill(0);
    }
  });
}

const SOURCE = `(${serveDerivations.toString()})(require('node:worker_threads'), require('node:crypto'))`;

export function startDerivationThread(): DerivationThread {
  // Inherited flags may load modules that a derivation has no use for; the environment may hold secrets.
  const worker = new Worker(SOURCE, { eval: true, execArgv: [], env: {}, name: 'key-derivation' });
  let waiting: { resolve(derived: Uint8Array): void; reject(error: Error): void } | undefined;
  const settle = (act: (job: NonNullable<typeof waiting>) => void) => {
    const job = waiting;
    waiting = undefined;
    if (job !== undefined) act(job);
  };
  worker.on('message', (answer: Answer) =>
    settle(({ resolve, reject }) =>
      'derived' in answer ? resolve(answer.derived) : reject(new Error(`key derivation: ${answer.failure}`)),
    ),
  );
  worker.on('error', (error) => settle(({ reject }) => reject(error)));
  worker.on('exit', () => settle(({ reject }) => reject(new Error('key derivation: the thread ended'))));
  return {
    derive: (derivation, password) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        const own = new Uint8Array(password);
        const job: Job = {
          derivation,
          password: own,
          length: DERIVED_BYTES,
          maxmem: derivationMemory(derivation),
        };
        worker.postMessage(job, [own.buffer]);
      }),
    stop: async () => void (await worker.terminate()),
  };
}
