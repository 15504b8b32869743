import { isServiceReady, startChildService, type ChildService } from '@tetrad/testkit';
import { serviceMain, type ServiceName } from '../paths.js';

/** A command of a service's program, on the data of that service. */
export interface ServiceCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export interface ServiceProcessOptions {
  /** Its name: `node0`, `signer`. */
  readonly name: string;
  readonly program: ServiceName;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly opsPort: number;
  readonly logFile: string;
  /** Called when it ends unexpectedly. */
  readonly onEnded?: ((how: string) => void) | undefined;
}

/** A service of the network in a process of its own, which may be stopped and started again. */
export class ServiceProcess {
  private child: ChildService | undefined;
  private programs: string | undefined;
  private readonly replaced = new Map<string, string>();

  constructor(private readonly launch: ServiceProcessOptions) {}

  /** The arguments of its next start. */
  protected get args(): readonly string[] {
    return this.launch.args;
  }

  get name(): string {
    return this.launch.name;
  }

  /** @throws Error while it is stopped */
  get pid(): number {
    if (this.child === undefined) throw new Error(`${this.name} is not running`);
    return this.child.pid;
  }

  /** Base URL of its operations port. */
  get opsUrl(): string {
    return `http://127.0.0.1:${this.launch.opsPort}`;
  }

  get isRunning(): boolean {
    return this.child !== undefined;
  }

  /** From its next start on, its program is that of another repository, of another version. */
  runFrom(root: string): void {
    this.programs = root;
  }

  /**
   * From its next start on, the option has this value.
   * @param flag - `--key-files`
   */
  replaceOption(flag: string, value: string): void {
    this.replaced.set(flag, value);
  }

  /**
   * Starts it on its data; resolves when it is ready.
   * @throws ChildServiceError; with the reason of the signal
   */
  async start(signal?: AbortSignal): Promise<void> {
    const { name, logFile, onEnded } = this.launch;
    this.child = await startChildService({
      name,
      logFile,
      signal,
      ...this.command(withValues(this.args, this.replaced)),
      isReady: (pid) => isServiceReady(this.opsUrl, pid),
      onEnded: (how) => {
        this.child = undefined;
        onEnded?.(how);
      },
    });
  }

  /** Stops it in order. */
  async stop(): Promise<void> {
    await this.child?.stop();
    this.child = undefined;
  }

  /** Ends it at once, as a crash would. */
  async kill(): Promise<void> {
    await this.child?.kill();
    this.child = undefined;
  }

  /** How to run its program with other arguments on the same database. */
  command(args: readonly string[]): ServiceCommand {
    const { program, environment } = this.launch;
    return { command: process.execPath, args: [serviceMain(program, this.programs), ...args], environment };
  }
}

/** A command line with other values of some flags; those that it does not have are added. */
function withValues(args: readonly string[], values: ReadonlyMap<string, string>): string[] {
  const others = args.filter((word, at) => !values.has(word) && !values.has(args[at - 1] ?? ''));
  return [...others, ...[...values].flat()];
}
