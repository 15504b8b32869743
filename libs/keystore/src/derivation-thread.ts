import type * as nodeCrypto from 'node:crypto';
import type * as workerThreads from 'node:worker_threads';
import { JobThread, startThread } from '@tetrad/types';
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
  /** @throws Error when the thread died or the parameters are impossible; nothing secret in it */
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
  const options = { eval: true, execArgv: [], env: {}, name: 'key-derivation' };
  const thread = new JobThread<Job, Answer>(startThread(SOURCE, options));
  return {
    async derive(derivation, password) {
      const own = new Uint8Array(password);
      const job: Job = {
        derivation,
        password: own,
        length: DERIVED_BYTES,
        maxmem: derivationMemory(derivation),
      };
      const answer = await thread.run(job, [own.buffer]);
      if ('failure' in answer) throw new Error(`key derivation: ${answer.failure}`);
      return answer.derived;
    },
    stop: () => thread.stop(),
  };
}
