import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { estimateGas, useSigningAccounts } from '../../api/contract-queries.js';
import { Loaded, reasonOf } from '../../parts/loaded.js';
import { hexOf } from '../../wallet/wallet-requests.js';
import { useMayWrite, useWriting } from '../../writes/writing.js';
import { CallEffect } from './call-effect.js';
import { ChooseSender } from './choose-sender.js';
import type { OfContract, Offered, Prepared } from './offered-call.js';

type Props = OfContract & { readonly offered: Offered; readonly prepared: Prepared };

/** Sends a call by the signer of the network, for readers who may. */
export function SignerSend(props: Props) {
  const mayWrite = useMayWrite('signer', 'eth_sendTransaction');
  if (!props.network.hasSigner || !mayWrite) return null;
  return (
    <>
      <h3>Send it by the signer</h3>
      <Accounts {...props} />
    </>
  );
}

function Accounts(props: Props) {
  const query = useSigningAccounts();
  const { chainId } = props.network;
  return (
    <Loaded query={query}>
      {({ accounts, chain }) => {
        if (chain !== BigInt(chainId))
          return (
            <p className="failed" role="alert">
              The signer is on chain {String(chain)}, and the network is chain {chainId}. Nothing is sent.
            </p>
          );
        const [first] = accounts;
        if (first === undefined) return <p className="empty">The signer has no key.</p>;
        return <Sender {...props} accounts={accounts} first={first} />;
      }}
    </Loaded>
  );
}

function Sender(props: Props & { readonly accounts: readonly string[]; readonly first: string }) {
  const { node, address, offered, prepared, accounts, first } = props;
  const [from, setFrom] = useState(first);
  const [given, setGiven] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const { propose } = useWriting();
  const call = { from, to: address, ...prepared };
  const estimate = useEstimate(node, call);
  // A quarter more: state may change until it is mined.
  const gas = given ?? (estimate.data === undefined ? '' : String((estimate.data * 5n) / 4n));
  const look = () => {
    const isGas = /^[1-9][0-9]{0,14}$/.test(gas.trim());
    setProblem(isGas ? undefined : 'Enter the gas limit as a number.');
    if (!isGas) return;
    const { data, value } = prepared;
    const transaction = { from, to: address, gas: hexOf(BigInt(gas.trim())), value: hexOf(value), data };
    propose(
      {
        title: `Call ${offered.entry.name}`,
        at: { kind: 'signer' },
        method: 'eth_sendTransaction',
        params: [transaction],
        from,
        call,
      },
      <CallEffect node={node} offered={offered} call={call} />,
    );
  };
  return (
    <>
      <ChooseSender accounts={accounts} from={from} onChange={setFrom} onLook={look}>
        <label>
          Gas limit <input type="text" value={gas} onChange={({ target }) => setGiven(target.value)} />
        </label>{' '}
      </ChooseSender>
      {estimate.error !== null && (
        <p className="stale">
          The node gives no estimate of gas: <bdi>{reasonOf(estimate.error)}</bdi>
        </p>
      )}
      <p role="status">{problem}</p>
    </>
  );
}

/** Asked for once, as long as the call stays the same. */
function useEstimate(node: string, call: Prepared & { readonly from: string; readonly to: string }) {
  const { from, to, data, value } = call;
  return useQuery({
    queryKey: ['estimate', node, to, data, String(value), from],
    queryFn: ({ signal }) => estimateGas(node, call, signal),
    retry: false,
    staleTime: Infinity,
  });
}
