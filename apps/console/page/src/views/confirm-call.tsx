import { useEffect, useRef } from 'react';
import { titleOf } from '../abi/readings.js';
import { decodeValues } from '../abi/decode-values.js';
import { Bytes } from '../parts/bytes.js';
import { coins } from '../parts/format.js';
import { Facts } from '../parts/facts.js';
import { walletRequest, type WalletCall } from '../wallet/wallet-requests.js';
import type { Offered } from './contract-calls.js';
import { Values } from './values.js';

/** Shows the exact call, and asks whether it is to be sent. In: by — which wallet is asked next */
export function ConfirmCall(props: {
  readonly call: WalletCall;
  readonly offered: Offered;
  readonly by: string;
  readonly onSend: () => void;
  readonly onCancel: () => void;
}) {
  const { call, offered, by, onSend, onCancel } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="confirm" onCancel={onCancel}>
      <h2 id="confirm">Send this call?</h2>
      <Facts
        of={{
          Chain: String(call.chainId),
          From: <code>{call.from}</code>,
          To: <code>{call.to}</code>,
          Function: (
            <>
              <code>
                <bdi>{titleOf(offered.entry)}</bdi>
              </code>{' '}
              <small>
                by the ABI file <bdi>{offered.by}</bdi>
              </small>
            </>
          ),
          Arguments: <Values of={decodeValues(offered.entry.inputs, `0x${call.data.slice(10)}`).values} />,
          Coins: coins(call.value),
          'Asked of the wallet': (
            <Bytes label="Request to the wallet">{JSON.stringify(walletRequest(call), undefined, 2)}</Bytes>
          ),
        }}
      />
      <p>{by} shows it again before it signs. Compare what both show.</p>
      <p>
        <button type="button" onClick={onCancel}>
          Do not send
        </button>{' '}
        <button type="button" onClick={onSend}>
          Send it
        </button>
      </p>
    </dialog>
  );
}
