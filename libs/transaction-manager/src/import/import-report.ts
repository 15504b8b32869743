import type { PtmKey } from '@tetrad/types';

/** Records that were stored, and those that had been. */
export interface Counted {
  readonly stored: number;
  readonly known: number;
}

/** What an import did. */
export interface ImportOutcome {
  readonly payloads: Counted;
  readonly rawPayloads: Counted;
  readonly groups: Counted;
  /** Resident groups, which the configuration defines. */
  readonly residentGroups: number;
  /** Records that no key of ours reads, and were left out. */
  readonly foreign: number;
  /** Keys that are parties to those, with how many records each; at most 20. */
  readonly foreignKeys: Readonly<Record<PtmKey, number>>;
}

type Result = keyof Counted;

/** Keys that a report counts and names. */
const MAX_KEYS = 1_000;
const MAX_NAMED = 20;

/** Counts what an import does. */
export class ImportReport {
  private readonly payloads = { stored: 0, known: 0 };
  private readonly rawPayloads = { stored: 0, known: 0 };
  private readonly groups = { stored: 0, known: 0 };
  private readonly keys = new Map<PtmKey, number>();
  private residentGroups = 0;
  private foreignRecords = 0;

  payload(result: Result): void {
    this.payloads[result] += 1;
  }

  raw(result: Result): void {
    this.rawPayloads[result] += 1;
  }

  group(result: Result): void {
    this.groups[result] += 1;
  }

  resident(): void {
    this.residentGroups += 1;
  }

  /** @param parties - keys, any of which would read the record */
  foreign(parties: readonly PtmKey[]): void {
    this.foreignRecords += 1;
    for (const key of new Set(parties))
      if (this.keys.has(key) || this.keys.size < MAX_KEYS) this.keys.set(key, (this.keys.get(key) ?? 0) + 1);
  }

  get outcome(): ImportOutcome {
    const named = [...this.keys].sort(([, left], [, right]) => right - left).slice(0, MAX_NAMED);
    return {
      payloads: this.payloads,
      rawPayloads: this.rawPayloads,
      groups: this.groups,
      residentGroups: this.residentGroups,
      foreign: this.foreignRecords,
      foreignKeys: Object.fromEntries(named) as Record<PtmKey, number>,
    };
  }
}
