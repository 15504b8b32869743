import { useQueryClient } from '@tanstack/react-query';
import {
  useEffect,
  useId,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
} from 'react';
import { sendWrite, type WriteOutcome } from '../api/send-write.js';
import { Facts } from '../parts/facts.js';
import { useAddress } from '../routing.js';
import { newWriteId, pathOfWrite, writeText, type ProposedWrite, type WritePlace } from './write.js';
import { WriteOutcomeShown } from './write-outcome.js';
import { useWriting } from './writing.js';

/**
 * Asks whether a write is to be sent, with the very text of the request, and says what became of it. It is a modal dialog as long as it is
 * drawn.
 * @param props.children - its effect, as far as it is known before
 */
export function ConfirmWrite(props: {
  readonly write: ProposedWrite;
  readonly children?: ReactNode;
  readonly onClose: () => void;
}) {
  const { write, children, onClose } = props;
  const { chainId } = useWriting();
  // What is shown stays what it was when it was opened, whatever the page learns meanwhile.
  const [text] = useState(() => writeText(write, { id: newWriteId(), chainId }));
  const sending = useSending(write.at, text);
  const { state } = sending;
  const { dialog, quiet } = useModal();
  const title = useId();
  const close = () => dialog.current?.close();
  const hold = (event: SyntheticEvent) => state === 'pending' && event.preventDefault();
  return (
    <dialog ref={dialog} className="write" aria-labelledby={title} onCancel={hold} onClose={onClose}>
      <h2 id={title}>{write.title}</h2>
      <Facts
        of={{
          'Sent to': <Place of={write.at} />,
          'Signed by': write.from === undefined ? 'the key of the node' : <code>{write.from}</code>,
          Network: `chain id ${chainId}`,
        }}
      />
      {children && (
        <section aria-label="Effect">
          <h3>Effect</h3>
          {children}
        </section>
      )}
      <h3>Request, as it is sent</h3>
      <pre className="bytes" tabIndex={0} role="region" aria-label="Request, as it is sent">
        {text}
      </pre>
      <div role="status">
        {state === 'pending' && (
          <p>{write.at.kind === 'wallet' ? 'The wallet is asked: answer there.' : 'Sending…'}</p>
        )}
        {typeof state === 'object' && <WriteOutcomeShown write={write} outcome={state} />}
      </div>
      <Choices sending={sending} isByWallet={write.at.kind === 'wallet'} quiet={quiet} onClose={close} />
    </dialog>
  );
}

/** The buttons of the dialog, as far as they can be used now. */
function Choices(props: {
  readonly sending: ReturnType<typeof useSending>;
  readonly isByWallet: boolean;
  readonly quiet: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}) {
  const { state, send, stopWaiting } = props.sending;
  return (
    <p className="pages">
      <button type="button" ref={props.quiet} disabled={state === 'pending'} onClick={props.onClose}>
        {typeof state === 'object' ? 'Close' : 'Cancel'}
      </button>
      {state === 'pending' && props.isByWallet && (
        <button type="button" onClick={stopWaiting}>
          Stop waiting
        </button>
      )}
      {typeof state === 'string' && (
        <button type="button" disabled={state === 'pending'} onClick={() => void send()}>
          Send it
        </button>
      )}
    </p>
  );
}

function Place({ of }: { readonly of: WritePlace }) {
  if (of.kind === 'signer') return 'the signer';
  return (
    <>
      {of.kind === 'wallet' && 'the wallet '}
      <bdi>{of.name}</bdi>
    </>
  );
}

/** Sends a text once, however often it is asked to. */
function useSending(at: WritePlace, text: string) {
  const [state, setState] = useState<'asked' | 'pending' | WriteOutcome>('asked');
  const client = useQueryClient();
  // At once, while the state is that of the last drawing: people click twice.
  const isSent = useRef(false);
  const send = async () => {
    if (isSent.current) return;
    isSent.current = true;
    setState('pending');
    setState(await (at.kind === 'wallet' ? at.send(text) : sendWrite(pathOfWrite(at), text)));
    await client.invalidateQueries();
  };
  // A wallet may never answer. If it does after all, that counts.
  const stopWaiting = () => setState({ kind: 'unknown', message: 'the wallet has not answered' });
  return { state, send, stopWaiting };
}

/** Opens the dialog; the button that changes nothing has the focus. A link in it that is followed closes it. */
function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  const quiet = useRef<HTMLButtonElement>(null);
  const { href } = useAddress();
  const [opened] = useState(href);
  useEffect(() => {
    if (href !== opened) dialog.current?.close();
  }, [href, opened]);
  useEffect(() => {
    if (dialog.current?.open !== false) return;
    dialog.current.showModal();
    quiet.current?.focus();
  }, []);
  return { dialog, quiet };
}
