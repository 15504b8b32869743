import { JobThread, OperatorError, startThread, threadFile } from '@tetrad/types';

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
 * @throws OperatorError, as `decryptKeyFile`
 */
export async function decryptKeyFiles(files: readonly KeyFile[]): Promise<Uint8Array[]> {
  const program = threadFile(import.meta.url, './key-file-worker.js', '../../dist/keys/key-file-worker.js');
  const thread = new JobThread<KeyFile, KeyFileAnswer>(startThread(program));
  try {
    const keys: Uint8Array[] = [];
    for (const file of files) keys.push(await open(thread, file));
    return keys;
  } finally {
    await thread.stop();
  }
}

async function open(thread: JobThread<KeyFile, KeyFileAnswer>, file: KeyFile): Promise<Uint8Array> {
  const answer = await thread.run(file);
  if ('privateKey' in answer) return answer.privateKey;
  if ('problem' in answer) throw new OperatorError(answer.problem);
  throw new Error(`${file.name}: ${answer.fault}`);
}
