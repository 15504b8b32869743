import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { promisify } from 'node:util';
import { ROOT } from '@tetrad/devnet';

const run = promisify(execFile);
const HERE = import.meta.dirname;
const LIBRARIES = join(ROOT, 'node_modules/.cache/tetrad/web3j-quorum-4.10.0');

/** The first compiler of the JVM alone: what it optimizes further pays only after seconds of load. */
const SHORT_LIVED = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/** @returns folder of web3j's libraries, downloaded with Maven the first time; the reason when they are unavailable */
export async function web3jLibraries(): Promise<{ readonly folder: string } | { readonly lacking: string }> {
  try {
    await run('java', ['-version']);
    if (existsSync(LIBRARIES)) return { folder: LIBRARIES };
    const draft = `${LIBRARIES}.${process.pid}`;
    await mkdir(draft, { recursive: true });
    const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${draft}`];
    await run('mvn', ['-q', '-B', '-f', join(HERE, 'pom.xml'), ...goal], { timeout: 600_000 });
    await rm(LIBRARIES, { recursive: true, force: true });
    await rename(draft, LIBRARIES);
    return { folder: LIBRARIES };
  } catch (error) {
    return { lacking: (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '' };
  }
}

/** A node and its transaction manager, by their URLs. */
export interface Place {
  readonly node: string;
  readonly manager: string;
}

/** web3j's library for private networks, in a process that takes calls over its standard input (Web3jDriver.java). */
export class Web3jClient {
  private readonly process: ChildProcessWithoutNullStreams;
  private readonly lines: Interface;
  private readonly waiting: ((line: string) => void)[] = [];
  private said = '';

  constructor(folder: string) {
    const words = [...SHORT_LIVED, '-cp', join(folder, '*'), join(HERE, 'Web3jDriver.java')];
    this.process = spawn('java', words, { env: { ...process.env, JAVA_TOOL_OPTIONS: '' } });
    this.process.stderr.on('data', (chunk: Buffer) => (this.said += chunk.toString()));
    this.lines = createInterface({ input: this.process.stdout });
    this.lines.on('line', (line) => this.waiting.shift()?.(line));
    this.process.once('close', () => {
      for (const end of this.waiting.splice(0)) end(JSON.stringify({ error: `java ended: ${this.said}` }));
    });
  }

  /**
   * Calls a method of the library.
   * @returns the result
   * @throws Error with its message
   */
  async call<Result>({ node, manager }: Place, call: string, args: unknown): Promise<Result> {
    const answered = new Promise<string>((done) => this.waiting.push(done));
    this.process.stdin.write(`${JSON.stringify({ node, manager, call, args })}\n`);
    const { result, error } = JSON.parse(await answered) as { result?: Result; error?: string };
    if (error !== undefined) throw new Error(`${call}: ${error}`);
    return result as Result;
  }

  async stop(): Promise<void> {
    const closed = new Promise((done) => this.process.once('close', done));
    if (this.process.exitCode !== null) return;
    this.process.stdin.end();
    await closed;
  }
}
