import type {
  EtcdClient,
  Comparison as EtcdComparison,
  Entry as EtcdEntry,
  WatchEvent,
} from '@tetrad/node-etcd';
import type {
  Comparison,
  Entry,
  KeyEvent,
  LogStore,
  RangeAnswer,
  RangeRequest,
  Transaction,
  Watch,
  WatchOptions,
} from './log-store.js';

/** Limit of one answer: some parts of a block, or dozens of small blocks, in base64. */
const MAX_ANSWER_BYTES = 32 * 1_048_576;

/** The log's store in an etcd cluster. */
export class EtcdLogStore implements LogStore {
  constructor(private readonly etcd: EtcdClient) {}

  async range(request: RangeRequest): Promise<RangeAnswer> {
    const { entries, count, revision } = await this.etcd.range({ ...request, maxBytes: MAX_ANSWER_BYTES });
    return { entries: entries.map(entryOf), count: Number(count), revision };
  }

  transact({ compare, success }: Transaction): Promise<{ readonly succeeded: boolean }> {
    return this.etcd.transact({ compare: compare.map(comparisonOf), success, failure: [] });
  }

  async grantLease(seconds: number): Promise<bigint> {
    return (await this.etcd.grantLease(seconds)).lease;
  }

  async keepAlive(lease: bigint): Promise<boolean> {
    return (await this.etcd.keepAlive(lease)) !== undefined;
  }

  revokeLease(lease: bigint): Promise<void> {
    return this.etcd.revokeLease(lease);
  }

  compact(revision: bigint): Promise<void> {
    return this.etcd.compact(revision);
  }

  watch({ prefix, fromRevision, probeKey, onEvents, onTrouble }: WatchOptions): Watch {
    let failure: { readonly error: unknown } | undefined;
    const watch = this.etcd.watch({
      prefix,
      fromRevision,
      probeKey,
      onTrouble,
      // Both end the watch, and its user then reads the current entries.
      onCompacted: () => undefined,
      onOtherHistory: () => undefined,
      async onEvents(events) {
        if (failure !== undefined) return;
        try {
          await onEvents(events.map(eventOf));
        } catch (error) {
          failure = { error };
          watch.close();
        }
      },
    });
    const ended = watch.ended.then(() => {
      if (failure !== undefined) throw failure.error;
    });
    // A caller that closes the watch may ignore how it ended.
    ended.catch(() => undefined);
    return {
      ended,
      close() {
        watch.close();
        return ended;
      },
    };
  }
}

function comparisonOf(comparison: Comparison): EtcdComparison {
  const { key } = comparison;
  if (comparison.target === 'value')
    return { key, target: 'VALUE', result: 'EQUAL', value: comparison.value };
  const target = comparison.target === 'create' ? 'CREATE' : 'MOD';
  return { key, target, result: 'EQUAL', number: comparison.revision };
}

function entryOf({ key, value, createRevision, modRevision, lease }: EtcdEntry): Entry {
  return { key: key.toString('latin1'), value, createRevision, modRevision, lease };
}

function eventOf(event: WatchEvent): KeyEvent {
  if (event.type === 'put') return { kind: 'put', entry: entryOf(event.entry) };
  const [key, value] = [event.key.toString('latin1'), new Uint8Array(0)];
  const { modRevision } = event;
  return { kind: 'delete', entry: { key, value, modRevision, createRevision: 0n, lease: 0n } };
}
