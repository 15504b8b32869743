import type { Effect, Report } from '../../src/machine/effects.js';
import type { MachineEvent, Verdict } from '../../src/machine/events.js';
import type { HeightContext } from '../../src/machine/height.js';
import { initialState, type MachineState } from '../../src/machine/state.js';
import { step } from '../../src/machine/step.js';
import type { ConsensusMessage, MessageKind, ProposedBlock } from '../../src/messages/consensus-message.js';
import type { SignedRecord } from '../../src/record/signed-record.js';
import type { Cast } from './cast.js';
import type { ValidatorKey } from '../simulator/validator-keys.js';

/** Steps one machine by hand and keeps what came of the last event. */
export class MachineDriver {
  state: MachineState;
  effects: readonly Effect[] = [];

  constructor(
    private readonly cast: Cast,
    private readonly key: ValidatorKey,
    record?: SignedRecord,
  ) {
    this.state = initialState(record);
  }

  /** A machine that has just heard of the cast's chain. */
  static begin(cast: Cast, key: ValidatorKey, record?: SignedRecord): MachineDriver {
    const driver = new MachineDriver(cast, key, record);
    driver.head();
    return driver;
  }

  on(event: MachineEvent): this {
    const { state, effects } = step(this.key, this.state, event);
    this.state = state;
    this.effects = effects;
    return this;
  }

  head(changes: Partial<HeightContext> = {}, atMs?: number): this {
    const context = { ...this.cast.context, ...changes };
    return this.on({ type: 'head', context, atMs: atMs ?? context.periodEndsMs });
  }

  receive(...messages: readonly ConsensusMessage[]): this {
    for (const message of messages) this.on({ type: 'message', message });
    return this;
  }

  validated(block: ProposedBlock, verdict: Verdict = 'valid'): this {
    return this.on({ type: 'validated', height: 1, digest: block.hash, verdict });
  }

  timer(timer: 'round' | 'retry' = 'round', round: number = this.state.round): this {
    return this.on({ type: 'timer', timer, height: 1, round });
  }

  /** Messages that the last event had sent to all, of a kind. */
  sent<K extends MessageKind>(kind: K): Extract<ConsensusMessage, { kind: K }>[] {
    return this.effects.flatMap((effect) =>
      effect.type === 'broadcast' && isOf(effect.message, kind) ? [effect.message] : [],
    );
  }

  get types(): readonly string[] {
    return this.effects.map((effect) => (effect.type === 'broadcast' ? effect.message.kind : effect.type));
  }

  get reports(): readonly Report['what'][] {
    return this.effects.flatMap((effect) => (effect.type === 'report' ? [effect.report.what] : []));
  }

  find<T extends Effect['type']>(type: T): Extract<Effect, { type: T }> | undefined {
    return this.effects.find((effect): effect is Extract<Effect, { type: T }> => effect.type === type);
  }
}

function isOf<K extends MessageKind>(
  message: ConsensusMessage,
  kind: K,
): message is Extract<ConsensusMessage, { kind: K }> {
  return message.kind === kind;
}
