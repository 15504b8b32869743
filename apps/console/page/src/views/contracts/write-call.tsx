import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { parseEther } from 'viem/utils';
import { AbiFault } from '../../abi/abi-fault.js';
import { encodeCall } from '../../abi/arguments.js';
import { executeCall, useHeld } from '../../api/contract-queries.js';
import { Bytes } from '../../parts/bytes.js';
import { Loaded } from '../../parts/loaded.js';
import { CallInputs } from './call-inputs.js';
import type { OfContract, Offered, Prepared } from './offered-call.js';
import { Outcome, problemOf } from './read-call.js';
import { SignerSend } from './signer-send.js';
import { WalletSend } from './wallet-send.js';

type Props = OfContract & { readonly offered: Offered };

/** A form for a call that changes something. What it has at the time is shown exactly, tried, and only then sent. */
export function WriteCall(props: Props) {
  const { offered } = props;
  const [texts, setTexts] = useState<readonly string[]>([]);
  const [coins, setCoins] = useState('0');
  const [prepared, setPrepared] = useState<Prepared>();
  const [isChanged, setChanged] = useState(false);
  const [problem, setProblem] = useState<string>();
  const prepare = (event: FormEvent) => {
    event.preventDefault();
    try {
      setPrepared({ data: encodeCall(offered.entry, texts), value: weiOf(coins) });
      setProblem(undefined);
      setChanged(false);
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  return (
    <>
      <form className="question" onSubmit={prepare} onChange={() => setChanged(true)}>
        <CallInputs params={offered.entry.inputs} texts={texts} onChange={setTexts} />
        {offered.entry.isPayable && (
          <label>
            Coins to send with it{' '}
            <input type="text" value={coins} onChange={({ target }) => setCoins(target.value)} />
          </label>
        )}
        <button type="submit">Prepare the call</button>
      </form>
      <div aria-live="polite">
        {problem !== undefined && (
          <p className="failed">
            <bdi>{problem}</bdi>
          </p>
        )}
        {prepared !== undefined && isChanged && (
          <p className="stale">The form was changed. What follows is the call as it was prepared before.</p>
        )}
        {prepared !== undefined && (
          <Ready {...props} key={`${prepared.data} ${prepared.value}`} prepared={prepared} />
        )}
      </div>
    </>
  );
}

/** @throws AbiFault */
function weiOf(coins: string): bigint {
  if (!/^[0-9]{1,60}(?:\.[0-9]{1,18})?$/.test(coins.trim()))
    throw new AbiFault('coins', 'must be a decimal number with at most 18 digits after the point');
  return parseEther(coins.trim());
}

function Ready(props: Props & { readonly prepared: Prepared }) {
  const { node, address, prepared } = props;
  const held = useHeld(node, address);
  return (
    <>
      <details>
        <summary>Data of the call</summary>
        <Bytes label="Bytes of the call">{prepared.data}</Bytes>
      </details>
      <Trial {...props} />
      <Loaded query={held}>
        {({ kind }) =>
          kind === 'private' ? (
            <p className="empty">
              This is a private contract. A wallet of the browser cannot send privately: its call would be
              public, and would not reach it. It can be called here without being sent, as this node sees it.
            </p>
          ) : (
            <>
              <SignerSend {...props} />
              <WalletSend {...props} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

/** Executes the call at the node without sending it. */
function Trial({ node, address, offered, prepared }: Props & { readonly prepared: Prepared }) {
  const [from, setFrom] = useState('');
  const trial = useMutation({
    mutationFn: async () => {
      const sender = from.trim() === '' ? undefined : from.trim();
      if (sender !== undefined && !/^0x[0-9a-f]{40}$/i.test(sender))
        throw new AbiFault('sender', 'must be an address');
      return executeCall(node, { from: sender, to: address, ...prepared }, 'latest');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    trial.mutate();
  };
  return (
    <>
      <form className="question" onSubmit={submit}>
        <label>
          Sender of the trial{' '}
          <input type="text" value={from} onChange={({ target }) => setFrom(target.value)} />
        </label>
        <button type="submit">Try it without sending</button>
      </form>
      {trial.error !== null && (
        <p className="failed">
          <bdi>{problemOf(trial.error)}</bdi>
        </p>
      )}
      {trial.data !== undefined && <Outcome of={trial.data} offered={offered} address={address} />}
    </>
  );
}
