import type { ReadinessChecks } from '@tetrad/service';

/** A part of the node that was opened. */
export interface NodeModule<Parts> {
  readonly parts: Parts;
  /** Readiness checks of the part. */
  readonly readiness: ReadinessChecks;
  close(): Promise<unknown>;
}

/** Modules that were opened one after the other. */
export class OpenModules {
  /** Newest first. */
  private readonly closers: (() => Promise<unknown>)[] = [];
  private checks: ReadinessChecks = {};

  get readiness(): ReadinessChecks {
    return this.checks;
  }

  async open<Parts>(opening: Promise<NodeModule<Parts>>): Promise<Parts> {
    const { parts, readiness, close } = await opening;
    this.closers.unshift(close);
    this.checks = { ...this.checks, ...readiness };
    return parts;
  }

  /** Closes all, the newest first: when the node stops, and when a start fails. */
  async close(): Promise<void> {
    for (const closer of this.closers.splice(0)) await closer();
  }
}
