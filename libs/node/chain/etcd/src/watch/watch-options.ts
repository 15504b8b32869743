import type { EtcdKey } from '../requests.js';
import type { WatchEvent } from './watch-message.js';

export interface WatchOptions {
  readonly prefix: EtcdKey;
  /** First revision to watch, from 1; at most one after the newest. */
  readonly fromRevision: bigint;
  /** Cluster that the revisions are of; that of the first answer without it. */
  readonly clusterId?: bigint | undefined;
  /**
   * A key below the prefix that every writer there writes along, such as the head of a chain. With it, a quiet watch is
   * known to be behind for certain; without it, other writers of the cluster make a quiet watch reopen now and then.
   */
  readonly probeKey?: EtcdKey | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Time without a line after which etcd is asked for its revision; default 5 s. */
  readonly quietMs?: number | undefined;
  /** Of a line, as etcd writes it; default 32 MiB. */
  readonly maxLineBytes?: number | undefined;
  /** Of the keys and values of one revision; default 32 MiB. */
  readonly maxRevisionBytes?: number | undefined;

  /**
   * One complete revision, each once and in order. The next one waits until this one is handled; a revision whose
   * handler throws is delivered again later.
   */
  readonly onEvents: (events: readonly WatchEvent[], revision: bigint) => void | Promise<void>;
  /**
   * The next revision was compacted: the watch has ended.
   * @param compactRevision - first revision that can be watched
   */
  readonly onCompacted: (compactRevision: bigint) => void;
  /**
   * Another cluster answers, or one that has lost delivered revisions, as after it was restored from an older backup:
   * the watch has ended.
   * @param problem - one line for operators
   */
  readonly onOtherHistory: (problem: string) => void;
  /** Why the watch is interrupted, in one line; undefined when it follows again. */
  readonly onTrouble: (problem: string | undefined) => void;
}

/** A watch that goes on until it is closed, its signal is aborted, or its revisions are gone. */
export interface Watch {
  /** First revision that was not delivered, nor is known to hold nothing below the prefix. */
  readonly nextRevision: bigint;
  /** Resolves when no further callback will be called. Never fails. */
  readonly ended: Promise<void>;
  close(): void;
}
