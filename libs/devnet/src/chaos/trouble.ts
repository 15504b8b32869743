import type { FaultyNetwork } from '@tetrad/testkit';
import { KillOrder, shuffled } from './kill-order.js';
import type { Victim, Victims } from './victims.js';

export interface TroubleOptions {
  readonly victims: Victims;
  readonly nodes: number;
  /** The links between the nodes of the network. */
  readonly links: FaultyNetwork;
  readonly random: () => number;
  readonly say: (line: string) => void;
  readonly partitionMs: number;
}

/** The longest time that a killed process stays down. */
const DOWN_MS = 4_000;
/** Interval of the check for processes that ended although they were not killed. */
const SUPERVISE_MS = 500;

/** Injects faults into a network. */
export class Trouble {
  /** Kind → number of kills. */
  readonly kills = new Map<string, number>();
  partitions = 0;
  /** How often a process ended without being killed, and was started again as by a supervisor. */
  restarts = 0;
  /** Why a process did not come back. */
  private failure: unknown;
  /** Victims that are starting again. */
  private readonly comingBack = new Map<Victim, Promise<void>>();
  private healing: Promise<void> = Promise.resolve();
  private readonly killOrder: KillOrder;
  private readonly supervision: NodeJS.Timeout;

  constructor(private readonly options: TroubleOptions) {
    this.killOrder = new KillOrder([...options.victims.keys()], options.random);
    this.supervision = setInterval(() => this.supervise(), SUPERVISE_MS);
  }

  /** @throws when a victim of an earlier kill did not come back */
  kill(): void {
    this.assertBack();
    const { random, say, victims } = this.options;
    const kind = this.killOrder.next() ?? '';
    const up = (victims.get(kind) ?? []).filter((one) => !one.isDown && !this.comingBack.has(one));
    const victim = choose(random, up);
    const downMs = random() * DOWN_MS;
    if (victim === undefined) return;
    this.kills.set(kind, (this.kills.get(kind) ?? 0) + 1);
    say(`${victim.name} is killed`);
    this.bringBack(victim, async () => {
      await victim.kill();
      await pause(downMs);
    });
  }

  /** Two and two, or one and the others. */
  part(): void {
    const { random, say, partitionMs, nodes, links } = this.options;
    const order = shuffled(
      Array.from({ length: nodes }, (_, index) => index),
      random,
    );
    const size = 1 + Math.floor(random() * 2);
    const groups = [order.slice(0, size), order.slice(size)];
    this.partitions += 1;
    say(`the network is partitioned: ${groups.map((group) => group.join(' ')).join(' | ')}`);
    links.partition(groups);
    this.healing = pause(partitionMs).then(() => {
      links.heal();
      say('the network is no longer partitioned');
    });
  }

  /**
   * Restores everything.
   * @throws when a process does not start again
   */
  async end(): Promise<void> {
    await this.healing;
    this.options.links.heal();
    while (this.comingBack.size > 0) await Promise.all(this.comingBack.values());
    clearInterval(this.supervision);
    this.assertBack();
  }

  /** Marks the victim before it goes down, so that supervision leaves it alone. */
  private bringBack(victim: Victim, down: () => Promise<void>): void {
    const back = down()
      .then(() => victim.comeBack())
      .catch((error: unknown) => {
        this.failure ??= error;
      })
      .then(() => void this.comingBack.delete(victim));
    this.comingBack.set(victim, back);
  }

  private supervise(): void {
    for (const victim of [...this.options.victims.values()].flat()) {
      if (!victim.isDown || this.comingBack.has(victim)) continue;
      this.restarts += 1;
      this.options.say(`${victim.name} ended by itself and is started again`);
      this.bringBack(victim, () => Promise.resolve());
    }
  }

  private assertBack(): void {
    if (this.failure !== undefined) throw this.failure;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, Math.max(ms, 0)));
}

/** One of the members; undefined when there is none. */
export function choose<T>(random: () => number, members: readonly T[]): T | undefined {
  return members[Math.floor(random() * members.length)];
}
