import type { EtcdClient, WatchEvent, WatchOptions } from '../src/index.js';

/** What a watch of a prefix says. */
export class Watched {
  readonly revisions: { readonly revision: bigint; readonly events: readonly WatchEvent[] }[] = [];
  readonly troubles: (string | undefined)[] = [];
  readonly endings: string[] = [];
  readonly options: Pick<WatchOptions, 'onEvents' | 'onCompacted' | 'onOtherHistory' | 'onTrouble'> = {
    onEvents: (events, revision) => void this.revisions.push({ revision, events }),
    onCompacted: (revision) => void this.endings.push(`compacted ${revision}`),
    onOtherHistory: (problem) => void this.endings.push(problem),
    onTrouble: (problem) => void this.troubles.push(problem),
  };

  static open(client: EtcdClient, options: Pick<WatchOptions, 'prefix' | 'fromRevision' | 'quietMs'>) {
    const watched = new Watched();
    return Object.assign(watched, { watch: client.watch({ ...options, ...watched.options }) });
  }

  /** Values that were put, in order. */
  get values(): string[] {
    const all = this.revisions.flatMap(({ events }) => events);
    return all.map((event) => (event.type === 'put' ? event.entry.value.toString() : `-${event.key}`));
  }
}
