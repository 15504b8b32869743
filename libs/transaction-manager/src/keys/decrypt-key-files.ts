import { Worker } from 'node:worker_threads';
import { OperatorError } from '@tetrad/types';

/** A key file that has been read. */
export interface KeyFile {
  /** For errors. */
  readonly name: string;
  readonly text: string;
  readonly password?: string;
}

/** What the thread answers: the key, what is wrong with the file, or that something broke. */
export type KeyFileAnswer =
  { readonly privateKey: Uint8Array } | { readonly problem: string } | { readonly fault: string };

/**
 * The private keys of key files, 32 bytes each. One file after another, since each may take 1 GiB, and on a thread, since
 * each may take 20 s in which the process has to hear signals.
 *
 * Fails: OperatorError, as `decryptKeyFile`
 */
export async function decryptKeyFiles(files: readonly KeyFile[]): Promise<Uint8Array[]> {
  const worker = new Worker(workerFile());
  try {
    const keys: Uint8Array[] = [];
    for (const file of files) keys.push(await open(worker, file));
    return keys;
  } finally {
    await worker.terminate();
  }
}

async function open(worker: Worker, file: KeyFile): Promise<Uint8Array> {
  const answer = await new Promise<KeyFileAnswer>((done, fail) => {
    worker.once('message', done);
    worker.once('error', fail);
    worker.postMessage(file);
  });
  worker.removeAllListeners();
  if ('privateKey' in answer) return answer.privateKey;
  if ('problem' in answer) throw new OperatorError(answer.problem);
  throw new Error(`${file.name}: ${answer.fault}`);
}

/** Tests run from the sources, where a thread, which no test runner transforms code for, starts from the build. */
function workerFile(): URL {
  const here = import.meta.url;
  const file = here.endsWith('.ts') ? '../../dist/keys/key-file-worker.js' : './key-file-worker.js';
  return new URL(file, here);
}
