import type { Watch, WatchEvent, WatchOptions } from '../src/index.js';
import { FakeGateway, byPath, type Play } from './fake-gateway.js';
import { ManualClock } from './manual-clock.js';
import { TestClients } from './test-clients.js';
import { probed } from './watch-lines.js';

export const LONG_MS = 3_600_000;

/** The gateways, clients and time of the watches of a test. */
export class WatchStage {
  clock = new ManualClock();
  private readonly clients = new TestClients();

  /** Begins a test. */
  begin(): void {
    this.clock = new ManualClock();
  }

  close(): Promise<void> {
    return this.clients.close();
  }

  async gateway(watch: Play, range: Play = probed(9)): Promise<FakeGateway> {
    return this.clients.closing(await FakeGateway.open(byPath({ watch, 'kv/range': range })));
  }

  /** Watches over the gateways. */
  hear(gateways: readonly FakeGateway[], options: Partial<WatchOptions> = {}): Heard {
    const client = this.clients.open(
      gateways.map(({ url }) => url),
      // What takes real time must not be late in the time of the clock.
      { clock: this.clock, requestTimeoutMs: LONG_MS },
    );
    return new Heard((given) => client.watch({ ...given, ...options }), this.clock);
  }
}

/** What a watch says, as text. */
class Heard {
  readonly events: string[] = [];
  readonly troubles: (string | undefined)[] = [];
  readonly endings: string[] = [];
  readonly watch: Watch;

  constructor(
    open: (options: WatchOptions) => Watch,
    private readonly clock: ManualClock,
  ) {
    this.watch = open({
      prefix: 'p/',
      fromRevision: 5n,
      quietMs: LONG_MS,
      onEvents: (list, revision) => void this.events.push(`${revision}: ${list.map(textOf).join(' ')}`),
      onCompacted: (revision) => void this.endings.push(`compacted ${revision}`),
      onOtherHistory: (problem) => void this.endings.push(problem),
      onTrouble: (problem) => void this.troubles.push(problem),
    });
  }

  /** Time passes meanwhile. */
  until(holds: () => boolean): Promise<void> {
    return this.clock.advanceUntil(holds);
  }
}

function textOf(event: WatchEvent): string {
  return event.type === 'put' ? `${event.entry.key}=${event.entry.value}` : `-${event.key}`;
}
