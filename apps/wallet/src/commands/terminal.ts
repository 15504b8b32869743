import { createInterface } from 'node:readline/promises';
import { OperatorError } from '@tetrad/types';

/** Where a command talks to a person, or to a script. */
export interface Terminal {
  /** One line on standard output. */
  say(line: string): void;
  /** One line on standard error. */
  warn(line: string): void;
  /** Everything on standard input; at most a megabyte. */
  readInput(): Promise<string>;
  /** Asks before something that cannot be taken back. Fails: OperatorError when the answer is no, or nobody is there */
  confirm(question: string): Promise<void>;
}

const MAX_INPUT_BYTES = 1_000_000;

/** The process's own terminal. */
export function processTerminal(): Terminal {
  return {
    say: (line) => void process.stdout.write(`${line}\n`),
    warn: (line) => void process.stderr.write(`tetrad wallet: ${line}\n`),
    readInput,
    confirm,
  };
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_INPUT_BYTES) {
      throw new OperatorError(`standard input: more than ${MAX_INPUT_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new OperatorError(`${question} There is nobody to ask: give --yes`);
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await reader.question(`${question} Type yes to go on: `);
    if (answer.trim().toLowerCase() !== 'yes') throw new OperatorError('not confirmed; nothing was done');
  } finally {
    reader.close();
  }
}
