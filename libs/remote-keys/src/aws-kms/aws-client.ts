interface Connection {
  /** Client of the SDK. */
  readonly client: { destroy(): void };
}

interface Held<C> {
  readonly opened: Promise<C>;
  calls: number;
  isRetired: boolean;
}

/** With these AWS refuses credentials, before it does anything. Source: AWS, Common Errors; AWS STS, "ExpiredTokenException" */
const REFUSALS: ReadonlySet<unknown> = new Set([
  'ExpiredTokenException',
  'ExpiredToken',
  'UnrecognizedClientException',
  'InvalidClientTokenId',
]);

/** Without this option the SDK reads shared files once for a process, also where a sidecar writes them anew. */
export const READS_FILES_AGAIN = { ignoreCache: true };

/**
 * A client of the SDK, made with the first call. When AWS does not accept its credentials any more, another client takes its place,
 * which finds credentials anew, and the call is made once more: the SDK itself keeps them until the time at which they
 * expire by its own clock, and for ever where they have none.
 */
export class AwsClient<C extends Connection> {
  private held: Held<C> | undefined;

  /** @param findsCredentials - false for fixed ones, of which there are no others */
  constructor(
    private readonly open: () => Promise<C>,
    private readonly findsCredentials: boolean,
  ) {}

  /** @throws as the task */
  async run<T>(task: (connection: C) => Promise<T>): Promise<T> {
    const held = (this.held ??= this.start());
    try {
      return await this.use(held, task);
    } catch (error) {
      if (!this.findsCredentials || !REFUSALS.has((error as Error).name)) throw error;
      if (this.held === held) this.replace(held);
      return this.use((this.held ??= this.start()), task);
    }
  }

  close(): void {
    if (this.held !== undefined) this.retire(this.held);
  }

  private start(): Held<C> {
    return { opened: this.open(), calls: 0, isRetired: false };
  }

  private replace(held: Held<C>): void {
    this.held = undefined;
    this.retire(held);
  }

  private async use<T>(held: Held<C>, task: (connection: C) => Promise<T>): Promise<T> {
    const connection = await held.opened;
    held.calls += 1;
    try {
      return await task(connection);
    } finally {
      held.calls -= 1;
      this.destroyWhenIdle(held);
    }
  }

  /** Calls under way come to their end. */
  private retire(held: Held<C>): void {
    held.isRetired = true;
    this.destroyWhenIdle(held);
  }

  private destroyWhenIdle({ opened, calls, isRetired }: Held<C>): void {
    if (isRetired && calls === 0)
      void opened.then(
        ({ client }) => client.destroy(),
        () => undefined,
      );
  }
}
