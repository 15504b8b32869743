/** What a part begins by itself. */
interface Loop {
  /** Begins nothing any more; resolves when nothing is under way. */
  stop(): Promise<unknown>;
}

interface Closable {
  close(): Promise<unknown>;
}

/** What is opened before the parts of a manager, and closed after them. */
export interface Resources {
  readonly ports: Closable;
  readonly peers: Closable;
  readonly stored: Closable;
}

/** The parts of a manager that have an end. */
export interface EndingParts {
  readonly lossCheck: Loop;
  readonly exchange: Loop;
  readonly outbox: Loop;
  readonly deliveries: Closable;
  readonly newRaws: { close(): void };
}

/**
 * Stops a manager: nothing begins any more, requests to its ports end within their time, those to other managers are cut off, and the
 * rows are closed when nothing uses them.
 * @param parts - absent when the start failed before there were any
 */
export async function stopManager({ ports, peers, stored }: Resources, parts?: EndingParts): Promise<void> {
  parts?.newRaws.close();
  // Awaited after their requests are cut off: a manager that was asked what it holds may be silent for minutes.
  const loops = Promise.all([parts?.lossCheck.stop(), parts?.exchange.stop(), parts?.outbox.stop()]);
  await ports.close();
  await peers.close();
  await loops;
  await parts?.deliveries.close();
  await stored.close();
}
