import { parentPort } from 'node:worker_threads';
import { OperatorError, announceLoaded } from '@tetrad/types';
import type { KeyFile, KeyFileAnswer } from './decrypt-key-files.js';
import { decryptKeyFile } from './key-file.js';

/** Entry of the thread in which key files are opened: one answer per file, in the order of the files. */
parentPort?.on('message', (file: KeyFile) => {
  void decryptKeyFile(file.text, file.name, file.password).then(
    (privateKey) => parentPort?.postMessage({ privateKey } satisfies KeyFileAnswer),
    (error: unknown) => parentPort?.postMessage(toAnswer(error)),
  );
});
announceLoaded();

function toAnswer(error: unknown): KeyFileAnswer {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof OperatorError ? { problem: message } : { fault: message };
}
