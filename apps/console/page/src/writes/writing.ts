import { createContext, useContext, type ReactNode } from 'react';
import type { Network } from '../api/shapes.js';
import type { ProposedWrite, WritePlace } from './write.js';

/** What a view needs to know to offer writes. */
export interface Writing {
  readonly chainId: number;
  /** Methods that the reader's token names, by the kind of service. */
  readonly writes: Network['writes'];
  /** The node that is asked: blocks and receipts are read from it. */
  readonly node: string;
  /**
   * Asks the reader to confirm a write.
   * @param effect - as far as it is known before
   */
  readonly propose: (write: ProposedWrite, effect?: ReactNode) => void;
}

export const WritingContext = createContext<Writing>({
  chainId: 0,
  node: '',
  writes: { node: [], signer: [] },
  propose: () => undefined,
});

export const useWriting = (): Writing => useContext(WritingContext);

/** Whether the reader may have the method written. A wallet asks its owner itself. */
export function useMayWrite(kind: WritePlace['kind'], method: string): boolean {
  const { writes } = useWriting();
  return kind === 'wallet' || writes[kind].includes(method);
}
