import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { OperatorError } from '@tetrad/types';

/** Where a command talks to a person, or to a script. */
export interface Terminal {
  /** One line on standard output. */
  say(line: string): void;
  /** One line on standard error. */
  warn(line: string): void;
  /** Everything on standard input; at most a megabyte. */
  readInput(): Promise<string>;
  /**
   * Asks for confirmation of an irreversible action.
   * @throws OperatorError when it is denied, or without a terminal
   */
  confirm(question: string): Promise<void>;
}

const MAX_INPUT_BYTES = 1_000_000;

/** The streams of a terminal. */
export interface TerminalStreams {
  /** Questions are possible only when `isTTY` is set. */
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable;
  readonly errors: Writable;
}

/** A terminal on streams, those of the process unless others are given. */
export function openTerminal({ input, output, errors }: TerminalStreams = processStreams()): Terminal {
  return {
    say: (line) => void output.write(`${line}\n`),
    warn: (line) => void errors.write(`tetrad wallet: ${line}\n`),
    readInput: () => readInput(input),
    confirm: (question) => confirm(question, { input, errors }),
  };
}

function processStreams(): TerminalStreams {
  return { input: process.stdin, output: process.stdout, errors: process.stderr };
}

async function readInput(input: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_INPUT_BYTES) {
      throw new OperatorError(`standard input: more than ${MAX_INPUT_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function confirm(
  question: string,
  { input, errors }: Pick<TerminalStreams, 'input' | 'errors'>,
): Promise<void> {
  if (input.isTTY !== true)
    throw new OperatorError(`${question} Standard input is not a terminal: confirm with --yes`);
  const reader = createInterface({ input, output: errors });
  try {
    const answer = await new Promise<string>((done) => {
      reader.once('line', done);
      // Who closes the terminal instead of answering has not said yes.
      reader.once('close', () => done(''));
      reader.setPrompt(`${question} Type yes to go on: `);
      reader.prompt();
    });
    if (answer.trim().toLowerCase() !== 'yes') throw new OperatorError('not confirmed; nothing was done');
  } finally {
    reader.close();
  }
}
