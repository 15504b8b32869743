import { startThread, threadFile, type Thread } from '@tetrad/types';
import { RefusedRequest } from '../calls.js';
import type { CompiledContract, CompilerAnswer } from './compiled-contract.js';

/** Inputs that wait while another one is compiled. */
const MAX_WAITING = 4;
/** A program of some hundred files takes ten seconds, by way of the intermediate representation a minute. */
const MAX_COMPILE_MS = 120_000;
/** Of the heap of JavaScript, in MiB; the compiler's memory is bounded in the thread. */
const LIMITS = { maxOldGenerationSizeMb: 512, stackSizeMb: 16 };

/** Compiled sources, and the version of the compiler as it names itself. */
export interface Compiled {
  readonly version: string;
  readonly contracts: readonly CompiledContract[];
}

type CompilerThread = Thread<string, CompilerAnswer>;

export interface SourceCompilerOptions {
  /** Starts the thread of one compilation. */
  readonly start?: () => CompilerThread;
  readonly maxCompileMs?: number;
}

/** Compiles inputs of readers with the compiler of this release: one at a time, in a thread of its own that ends with it. */
export class SourceCompiler {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private running: CompilerThread | undefined;
  private isClosed = false;

  constructor(private readonly options: SourceCompilerOptions = {}) {}

  /**
   * @param input - standard JSON, as `parseStandardInput` has it
   * @throws RefusedRequest for sources that do not compile, or not within the bounds, and while too many wait
   */
  async compile(input: string): Promise<Compiled> {
    if (this.waiting > MAX_WAITING)
      throw new RefusedRequest(429, 'other sources are being compiled: try again in a minute');
    this.waiting += 1;
    const turn = this.last.then(() => this.run(input));
    this.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.waiting -= 1;
    }
  }

  /** Ends what is compiled; the rest is refused. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.running?.stop();
  }

  private async run(input: string): Promise<Compiled> {
    if (this.isClosed) throw new RefusedRequest(400, 'the console is being stopped');
    const thread = (this.options.start ?? startCompiler)();
    this.running = thread;
    let timer: NodeJS.Timeout | undefined;
    try {
      const answer = await new Promise<CompilerAnswer>((done, fail) => {
        const most = this.options.maxCompileMs ?? MAX_COMPILE_MS;
        const late = () =>
          fail(new RefusedRequest(400, `the sources did not compile within ${most / 1_000} s`));
        timer = setTimeout(late, most);
        thread.onMessage(done);
        thread.onEnd(({ message }) =>
          fail(new RefusedRequest(400, `the compiler ended: ${message.slice(0, 200)}`)),
        );
        thread.post(input);
      });
      return toCompiled(answer);
    } finally {
      clearTimeout(timer);
      this.running = undefined;
      await thread.stop();
    }
  }
}

function startCompiler(): CompilerThread {
  const program = threadFile(
    import.meta.url,
    './compiler-worker.js',
    '../../dist/sources/compiler-worker.js',
  );
  return startThread(program, { resourceLimits: LIMITS, env: {}, stdout: true, stderr: true });
}

/** @throws RefusedRequest */
function toCompiled(answer: CompilerAnswer): Compiled {
  if ('fault' in answer) throw new RefusedRequest(400, `the compiler failed: ${answer.fault.slice(0, 200)}`);
  if ('errors' in answer)
    throw new RefusedRequest(400, `solc ${answer.version}: ${answer.errors.join('\n').slice(0, 4_000)}`);
  return answer;
}
