import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { readJson, writeJson } from '@tetrad/rpc';

const run = promisify(execFile);
const PROGRAM = 'python3';
/** No cache of compiled code beside the sources. */
const FLAGS = ['-B'];
const FOLDER = import.meta.dirname;
const MAX_DEPTH = 16;

/** @returns undefined when Python is there, with a version that has what is used here; otherwise the reason */
export async function lackingPython(): Promise<string | undefined> {
  return run(PROGRAM, ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']).then(
    () => undefined,
    () => 'python3 is not installed, or older than 3.10 (Debian: apt-get install python3)',
  );
}

/**
 * Says once that tests of a file are skipped, and why.
 * @returns whether they are
 */
export async function isWithoutPython(): Promise<boolean> {
  const lacking = await lackingPython();
  if (lacking !== undefined) process.stderr.write(`SKIPPED: the wallet in Python: ${lacking}\n`);
  return lacking !== undefined;
}

/**
 * Runs the tests of a module of this folder.
 * @returns what they say, failures included
 */
export async function runPythonTests(module: string): Promise<string> {
  const words = [...FLAGS, '-m', 'unittest', '-v', module];
  // Exit code 1 is that of a failed test.
  return run(PROGRAM, words, { cwd: FOLDER }).then(
    ({ stderr }) => stderr,
    (error: { readonly stderr?: string }) => error.stderr ?? String(error),
  );
}

interface Asked {
  done(result: unknown): void;
  fail(error: Error): void;
}

/** The wallet of this folder in a process of its own, which answers calls in their order (serve.py). */
export class PythonWallet {
  private readonly asked: Asked[] = [];

  private constructor(private readonly child: ChildProcess) {
    if (child.stdout === null) throw new TypeError('the process has no output');
    createInterface({ input: child.stdout }).on('line', (line) => this.answer(line));
    child.once('error', (error) => this.end(error));
    child.once('exit', (code, signal) =>
      this.end(new Error(`the wallet in Python has ended: ${code ?? signal}`)),
    );
  }

  static start(): PythonWallet {
    return new PythonWallet(
      spawn(PROGRAM, [...FLAGS, 'serve.py'], { cwd: FOLDER, stdio: ['pipe', 'pipe', 'inherit'] }),
    );
  }

  /**
   * @param values - integers may be bigint
   * @throws Error with what Python says
   */
  call(name: string, ...values: readonly unknown[]): Promise<unknown> {
    return new Promise((done, fail) => {
      this.asked.push({ done, fail });
      this.child.stdin?.write(`${writeJson({ call: name, values })}\n`);
    });
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((done) => this.child.once('exit', done));
    this.child.stdin?.end();
    await ended;
  }

  private answer(line: string): void {
    const { result, error } = readJson(line, MAX_DEPTH) as { result?: unknown; error?: string };
    const asked = this.asked.shift();
    if (error === undefined) asked?.done(result);
    else asked?.fail(new Error(error));
  }

  private end(error: Error): void {
    for (const asked of this.asked.splice(0)) asked.fail(error);
  }
}
