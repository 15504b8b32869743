import { useCallback, useMemo, useState, type ReactNode } from 'react';
import type { Network } from '../api/shapes.js';
import { ConfirmWrite } from './confirm-write.js';
import type { ProposedWrite } from './write.js';
import { WritingContext } from './writing.js';

interface Proposal {
  readonly write: ProposedWrite;
  readonly effect: ReactNode;
}

/**
 * Lets the views below propose writes. The dialog is drawn here, not in a view: what a write was about may leave the view when the write
 * takes effect, and what became of it is still to be read.
 */
export function WritesProvider(props: {
  readonly network: Network;
  readonly node: string;
  readonly children: ReactNode;
}) {
  const { network, node, children } = props;
  const { chainId, writes } = network;
  const [proposal, setProposal] = useState<Proposal>();
  const propose = useCallback(
    (write: ProposedWrite, effect?: ReactNode) => setProposal({ write, effect }),
    [],
  );
  const writing = useMemo(() => ({ chainId, writes, node, propose }), [chainId, writes, node, propose]);
  return (
    <WritingContext value={writing}>
      {children}
      {proposal !== undefined && (
        <ConfirmWrite write={proposal.write} onClose={() => setProposal(undefined)}>
          {proposal.effect}
        </ConfirmWrite>
      )}
    </WritingContext>
  );
}
