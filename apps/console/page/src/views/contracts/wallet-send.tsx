import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../api/call-node.js';
import { amountSchema } from '../../api/shapes.js';
import { reasonOf } from '../../parts/loaded.js';
import { useWallets } from '../../wallet/announced-wallets.js';
import type { Wallet } from '../../wallet/wallet-announcement.js';
import {
  WalletRefusal,
  accountsOf,
  chainOf,
  sendByWallet,
  walletTransaction,
} from '../../wallet/wallet-requests.js';
import { useWriting } from '../../writes/writing.js';
import { CallEffect } from './call-effect.js';
import { ChooseSender } from './choose-sender.js';
import type { OfContract, Offered, Prepared } from './offered-call.js';

type Props = OfContract & { readonly offered: Offered; readonly prepared: Prepared };

/** Sends a call by a wallet of the browser. */
export function WalletSend(props: Props) {
  const wallets = useWallets();
  const [chosen, setChosen] = useState<Wallet>();
  return (
    <>
      <h3>Send it by a wallet of this browser</h3>
      {wallets.length === 0 && <p className="empty">No wallet of this browser announces itself.</p>}
      <ul className="wallets">
        {wallets.map((wallet) => (
          <li key={wallet.uuid}>
            {wallet.icon !== undefined && <img src={wallet.icon} alt="" width={24} height={24} />}{' '}
            <button type="button" aria-pressed={wallet === chosen} onClick={() => setChosen(wallet)}>
              Use <bdi>{wallet.name}</bdi>
            </button>{' '}
            <small>
              says that it is <bdi>{wallet.rdns}</bdi>
            </small>
          </li>
        ))}
      </ul>
      {chosen !== undefined && <Connection {...props} key={chosen.uuid} wallet={chosen} />}
    </>
  );
}

type Connected = Props & { readonly wallet: Wallet };

/** Asks the wallet for its accounts and its chain, which must be that of the network and of the node. */
function Connection(props: Connected) {
  const { network, node, wallet } = props;
  const connect = useMutation({
    mutationFn: async () => ({
      // The node first: a wallet is not asked for accounts on a network that is another one.
      nodeChain: amountSchema.parse(await ask(node, { method: 'eth_chainId', params: [] })),
      walletChain: await chainOf(wallet.provider),
      accounts: await accountsOf(wallet.provider),
    }),
  });
  const wanted = BigInt(network.chainId);
  const { data, error } = connect;
  const isRight = data?.walletChain === wanted && data.nodeChain === wanted;
  return (
    <>
      <p>
        <button type="button" disabled={connect.isPending} onClick={() => connect.mutate()}>
          {data === undefined ? 'Ask it for its accounts' : 'Compare again'}
        </button>
      </p>
      {connect.isPending && <p role="status">Answer in the wallet.</p>}
      {error !== null && (
        <p className="failed" role="alert">
          <bdi>
            {error instanceof WalletRefusal ? `The wallet refuses: ${error.message}` : reasonOf(error)}
          </bdi>
        </p>
      )}
      {data !== undefined && !isRight && (
        <p className="failed" role="alert">
          {data.nodeChain !== wanted
            ? `The node is on chain ${data.nodeChain}, and the network is chain ${wanted}. Nothing is sent.`
            : `The wallet is on chain ${data.walletChain}, and the network is chain ${wanted}. Choose the network in the wallet, then compare again.`}
        </p>
      )}
      {data !== undefined && isRight && <Sender {...props} accounts={data.accounts} />}
    </>
  );
}

function Sender(props: Connected & { readonly accounts: readonly string[] }) {
  const { network, node, address, offered, prepared, wallet, accounts } = props;
  const [from, setFrom] = useState(accounts[0]);
  const { propose } = useWriting();
  if (from === undefined) return <p className="empty">The wallet lets this page use none of its accounts.</p>;
  const chainId = BigInt(network.chainId);
  const call = { from, to: address, ...prepared };
  const look = () =>
    propose(
      {
        title: `Call ${offered.entry.name}`,
        at: {
          kind: 'wallet',
          name: wallet.name,
          send: (text) => sendByWallet(wallet.provider, { chainId, text }),
        },
        method: 'eth_sendTransaction',
        params: [walletTransaction(call, chainId)],
        from,
        call,
      },
      <CallEffect node={node} offered={offered} call={call} />,
    );
  return <ChooseSender accounts={accounts} from={from} onChange={setFrom} onLook={look} />;
}
