import { silentLogger, silentMetrics, systemClock } from '@tetrad/types';
import { EtcdClient, EtcdError, type EtcdSettings } from '../src/index.js';

/** Clients and servers of one test file, which end with each test. */
export class TestClients {
  private readonly closers: (() => Promise<unknown>)[] = [];

  open(endpoints: readonly string[], settings: Partial<EtcdSettings> = {}): EtcdClient {
    const client = new EtcdClient({
      endpoints,
      requestTimeoutMs: 60_000,
      clock: systemClock,
      logger: silentLogger,
      metrics: silentMetrics,
      ...settings,
    });
    return this.closing(client);
  }

  closing<T extends { close(): Promise<unknown> }>(one: T): T {
    this.closers.unshift(() => one.close());
    return one;
  }

  async close(): Promise<void> {
    for (const close of this.closers.splice(0)) await close();
  }
}

/** The failure of something that must fail. */
export async function failureOf(doing: Promise<unknown>): Promise<EtcdError> {
  const error = await doing.then(
    () => new Error('it did not fail'),
    (failure: unknown) => failure,
  );
  if (error instanceof EtcdError) return error;
  throw error;
}
