import type { Frame } from './frame.js';
import type { AnsweredMessage } from './hooks.js';
import type { Evm } from './evm-interface.js';
import { NOTHING } from './memory.js';
import { SIGNAL, type Signal } from './signal.js';

/** A message that was paid for and cannot start. */
export interface UnstartedMessage {
  readonly message: Pick<AnsweredMessage, 'kind' | 'target' | 'value' | 'input' | 'gas'>;
  /** What its sender has handed on of its own gas; all that the message has comes back to it. */
  readonly lent: number;
  readonly failure: string;
}

/** Tells the sender of a message that it failed, and gives back its gas. */
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
