import { useSendsInDoubt, type SignerSend } from '../../api/signing-lists.js';
import { age } from '../../parts/format.js';
import { AddressLink, TransactionLink } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { useNow } from '../../parts/now.js';
import { Table } from '../../parts/table.js';

/** Nonces whose transaction may or may not be at the Ethereum client, and what to do about them. */
export function SignerSends() {
  const now = useNow();
  return (
    <section aria-labelledby="doubt">
      <h3 id="doubt">Nonces in doubt</h3>
      <Loaded query={useSendsInDoubt()}>
        {({ sends, cursor }) => (
          <>
            <Table
              caption="Sends whose outcome is not known"
              rows={sends}
              keyOf={({ account, chainId, isPrivate, nonce, changedAt }) =>
                [account, chainId, isPrivate, nonce, changedAt].join()
              }
              empty="No send is in doubt."
              columns={[
                { title: 'Account', cell: ({ account }) => <AddressLink address={account} /> },
                { title: 'Nonce', isNumber: true, cell: ({ nonce }) => String(nonce) },
                { title: 'Kind', cell: ({ isPrivate }) => (isPrivate ? 'private' : 'public') },
                { title: 'Nonce by', cell: ({ isGiven }) => (isGiven ? 'the caller' : 'the signer') },
                { title: 'In doubt for', cell: ({ changedAt }) => age(changedAt / 1_000, now) },
                { title: 'Transaction', cell: (send) => <Sent of={send} /> },
              ]}
            />
            {sends.length > 0 && <WhatToDo />}
            {cursor !== null && <p className="empty">Further ones may follow.</p>}
          </>
        )}
      </Loaded>
    </section>
  );
}

function Sent({ of: { transactionHash, isPrivate } }: { readonly of: SignerSend }) {
  if (transactionHash === null) return '–';
  return isPrivate ? <code>{transactionHash}</code> : <TransactionLink hash={transactionHash} />;
}

function WhatToDo() {
  return (
    <p>
      The Ethereum client did not answer, so it may have these transactions or not. The signer submits the
      same bytes again until it knows. See that the client answers; then open the transaction: in a block or
      in the pool it is settled by itself. Do not send the same payment again before: it would get a nonce of
      its own.
    </p>
  );
}
