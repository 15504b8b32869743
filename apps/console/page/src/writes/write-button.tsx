import type { ReactNode } from 'react';
import type { ProposedWrite } from './write.js';
import { useMayWrite, useWriting } from './writing.js';

/** A button that asks for the confirmation of a write; nothing for readers whose token does not name its method. */
export function WriteButton(props: {
  readonly write: ProposedWrite;
  /** Text of the button; the write's title when absent. */
  readonly label?: string;
  readonly effect?: ReactNode;
}) {
  const { write, label, effect } = props;
  const { propose } = useWriting();
  if (!useMayWrite(write.at.kind, write.method)) return null;
  return (
    <button type="button" title={write.title} onClick={() => propose(write, effect)}>
      {label ?? write.title}…
    </button>
  );
}
