import type { ReadinessChecks } from '@tetrad/service';

/** A part of the node that was opened. */
export interface NodeModule<Parts> {
  readonly parts: Parts;
  /** What must be well for the node to be ready. */
  readonly readiness: ReadinessChecks;
  close(): Promise<unknown>;
}

/** Modules that were opened one on top of the other. */
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

  /** Lets go of all, the newest first: when the node stops, and when it cannot start after all. */
  async close(): Promise<void> {
    for (const closer of this.closers.splice(0)) await closer();
  }
}
