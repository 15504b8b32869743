import type { Endpoints } from './endpoints.js';
import type { NetworkEvents } from './network-events.js';
import type { NetworkNode } from './network-node.js';
import type { NetworkBase, StartOptions } from './network-service.js';
import { networkServices } from './service-list.js';
import type { NetworkServiceName } from './service-names.js';
import type { ServiceProcess } from './service-process.js';
import { tryAgain } from './try-again.js';

/** Services that no other one needs. */
const LEFT_OUT: ReadonlySet<NetworkServiceName> = new Set<NetworkServiceName>(['rollup-operator', 'console']);

/** The services of a network that have been started so far. */
export class RunningServices {
  /** Processes by service, in the order of their start. */
  private readonly started = new Map<NetworkServiceName, ServiceProcess[]>();
  private readonly joining: Promise<void>[] = [];

  /** The nodes, those that joined included. */
  get nodes(): readonly NetworkNode[] {
    return (this.started.get('node') ?? []) as NetworkNode[];
  }

  /** Starts the processes of a service together; resolves when all are ready. */
  async start(name: NetworkServiceName, base: NetworkBase, options: StartOptions): Promise<void> {
    options.signal?.throwIfAborted();
    const service = networkServices[name];
    const processes = [...(await service.open(base, options, () => this.endpoints(base)))];
    this.started.set(name, processes);
    const { programs } = base.links;
    if (programs !== undefined) for (const process of processes) process.runFrom(programs);
    options.onProgress(`starting ${processes.map((process) => process.name).join(', ')}`);
    await startAll(processes, options, (either) => service.settle?.(processes, base, either));
    const joining = service.join?.(processes, options) ?? Promise.resolve();
    // `joined` reports the failure, which comes before it when another service does not start.
    joining.catch(() => undefined);
    this.joining.push(joining);
  }

  /** As `start`; a service that others do not need, and that does not start, is reported to the listener when there is one. */
  async startOrLeaveOut(
    name: NetworkServiceName,
    base: NetworkBase,
    { onLeftOut, ...options }: StartOptions & Pick<NetworkEvents, 'onLeftOut'>,
  ): Promise<void> {
    try {
      await this.start(name, base, options);
    } catch (error) {
      if (options.signal?.aborted === true || onLeftOut === undefined || !LEFT_OUT.has(name)) throw error;
      await Promise.all((this.started.get(name) ?? []).map((process) => process.stop()));
      this.started.delete(name);
      onLeftOut(name, error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Resolves when the processes of each service have found each other. */
  async joined(): Promise<void> {
    await Promise.all(this.joining);
  }

  /** A process of a service that was started later. */
  add(name: 'node', node: NetworkNode): void {
    this.started.get(name)?.push(node);
  }

  get all(): readonly ServiceProcess[] {
    return [...this.started.values()].flat();
  }

  find(name: string): ServiceProcess | undefined {
    return this.all.find((process) => process.name === name);
  }

  /** The contents of the endpoints file. */
  async endpoints(base: NetworkBase): Promise<Partial<Endpoints>> {
    const parts = [...this.started].map(([name, processes]) =>
      networkServices[name].endpoints(processes, base),
    );
    return Object.assign({}, ...(await Promise.all(parts))) as Partial<Endpoints>;
  }

  /** Stops all in the reverse order of their start. */
  async stop(): Promise<void> {
    for (const processes of [...this.started.values()].reverse())
      await Promise.all(processes.map((process) => process.stop()));
  }
}

/** Between the check of the ports and the start an outgoing connection of any program may be given one of them. */
const PORT_TAKEN = /is already in use/;

function startOnItsPorts(process: ServiceProcess, options: StartOptions): Promise<void> {
  return tryAgain(`starting ${process.name}`, () => process.start(options.signal), {
    ...options,
    isWorthIt: (error) => PORT_TAKEN.test(error.message),
  });
}

/** Waits for every start, also when one fails, so that all can be stopped; the others are aborted then. */
async function startAll(
  processes: readonly ServiceProcess[],
  { onProgress, signal }: StartOptions,
  settle: (options: StartOptions) => Promise<void> | undefined,
): Promise<void> {
  const failure = new AbortController();
  const either = signal === undefined ? failure.signal : AbortSignal.any([failure.signal, signal]);
  let ready = 0;
  await Promise.allSettled(
    processes.map(async (process) => {
      try {
        await startOnItsPorts(process, { onProgress, signal: either });
      } catch (error) {
        failure.abort(error);
        throw error;
      }
      ready += 1;
      const count = processes.length === 1 ? '' : ` (${ready} of ${processes.length})`;
      onProgress(`${process.name} is ready${count}`);
    }),
  );
  either.throwIfAborted();
  await settle({ onProgress, signal: either });
}
