import { CodeCache, Journal, World } from '@tetrad/node-evm';
import {
  SuppliedState,
  contextOf,
  type BlockContext,
  type ContextRules,
  type MessageStage,
  type SimulatedWorld,
  type Supplied,
} from '@tetrad/node-execution';
import { runWork } from '../client-work.js';
import {
  ThreadMemoryError,
  failureFrom,
  type BlockFields,
  type FromThread,
  type ToThread,
} from './messages.js';
import type { ThreadMemory } from './thread-memory.js';

/** The caller's end of a thread: `parentPort`, or a port of a `MessageChannel`. */
export interface WorkPort {
  postMessage(message: FromThread): void;
  on(event: 'message', listener: (message: ToThread) => void): unknown;
}

/** Bytes of decoded codes that a thread keeps. */
const CODE_BYTES = 64 * 1024 * 1024;

/**
 * Does the work that is sent to the port, several concurrently, and requests missing state from the caller.
 *
 * @param port - The caller's end.
 * @param memory - Asked before each slice of a long work; the work fails with ThreadMemoryError when it is full.
 */
export function serveWork(port: WorkPort, memory: ThreadMemory): void {
  const codes = new CodeCache(CODE_BYTES);
  const running = new Map<number, RunningWork>();
  port.on('message', (message) => {
    const { id } = message;
    if (message.kind === 'run') {
      const work = new RunningWork(id, port, codes, memory);
      running.set(id, work);
      void work.run(message).finally(() => running.delete(id));
    } else running.get(id)?.receive(message);
  });
}

/** One execution, between its start and its end. */
class RunningWork {
  private readonly controller = new AbortController();
  private supply: (supplied: readonly Supplied[]) => void = () => undefined;
  private goOn: () => void = () => undefined;
  private place: Promise<void> | undefined;

  constructor(
    private readonly id: number,
    private readonly port: WorkPort,
    private readonly codes: CodeCache,
    private readonly memory: ThreadMemory,
  ) {}

  async run({ work, block, rules }: Extract<ToThread, { kind: 'run' }>): Promise<void> {
    const { id } = this;
    try {
      this.port.postMessage({ id, kind: 'done', result: await runWork(this.stage(block, rules), work) });
    } catch (error) {
      this.port.postMessage({ id, kind: 'failed', failure: failureFrom(error) });
    }
  }

  receive(message: Exclude<ToThread, { kind: 'run' }>): void {
    if (message.kind === 'supply') this.supply(message.supplied);
    else if (message.kind === 'goOn') this.goOn();
    else this.abort();
  }

  /** Wakes the execution when it waits for an answer; it then finds its signal aborted. */
  private abort(): void {
    this.controller.abort();
    this.goOn();
    this.supply([]);
  }

  private stage(fields: BlockFields, rules: ContextRules): MessageStage {
    const block: BlockContext = { ...fields, findBlockHash: (number) => this.findBlockHash(number) };
    const source = new SuppliedState((missing) => this.ask(missing));
    const context = contextOf(block, rules);
    return {
      executor: { context: (_block, options) => ({ ...context, ...options }) },
      block,
      world: worldOf(new World(source, new Journal(), this.codes)),
      signal: this.controller.signal,
      onLong: () => this.goOnLong(),
    };
  }

  private ask(missing: Extract<FromThread, { kind: 'missing' }>['missing']): Promise<readonly Supplied[]> {
    const { id, controller } = this;
    if (controller.signal.aborted) return Promise.resolve([]);
    return new Promise((done) => {
      this.supply = done;
      this.port.postMessage({ id, kind: 'missing', missing });
    });
  }

  private async findBlockHash(number: number): ReturnType<BlockContext['findBlockHash']> {
    const [found] = await this.ask([{ kind: 'blockHash', number }]);
    return found?.kind === 'blockHash' ? found.hash : undefined;
  }

  private async goOnLong(): Promise<void> {
    if (await this.memory.isFull())
      throw new ThreadMemoryError('the execution needs more memory than its thread has');
    await (this.place ??= this.waitForPlace());
  }

  private waitForPlace(): Promise<void> {
    const { id, controller } = this;
    if (controller.signal.aborted) return Promise.resolve();
    return new Promise((done) => {
      this.goOn = done;
      this.port.postMessage({ id, kind: 'long' });
    });
  }
}

function worldOf(evm: World): SimulatedWorld {
  return { evm, copy: () => worldOf(evm.copy()) };
}
