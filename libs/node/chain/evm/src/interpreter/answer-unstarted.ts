import type { Frame } from './frame.js';
import type { AnsweredMessage } from './hooks.js';
import type { Evm } from './evm-interface.js';
import { NOTHING } from './memory.js';
import { SIGNAL, type Signal } from './signal.js';

/** A message that was paid for and cannot start. */
export interface UnstartedMessage {
  readonly message: Pick<AnsweredMessage, 'kind' | 'target' | 'value' | 'input' | 'gas'>;
  /** Gas that the sender forwarded from its own; the sender gets all gas of the message back. */
  readonly lent: number;
  readonly failure: string;
}

/** Reports the failure of a message to its sender, and returns its gas. */
export function answerUnstarted(
  evm: Evm,
  frame: Frame,
  { message, lent, failure }: UnstartedMessage,
): Signal {
  evm.listener?.answered?.(
    { ...message, caller: frame.account.key, depth: frame.depth + 1, isPrecompile: false },
    { gasUsed: 0, output: NOTHING, failure },
    evm,
  );
  evm.giveBack(frame, lent);
  frame.gas += message.gas - lent;
  evm.stack[frame.top++] = 0;
  return SIGNAL.next;
}
