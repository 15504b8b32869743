import { useState, type FormEvent } from 'react';
import { showToken } from './api/call-node.js';

/** Asks for the token of the reader, which stays in the memory of this page. */
export function AskToken({ onShown }: { readonly onShown: () => void }) {
  const [text, setText] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    showToken(text);
    setText('');
    onShown();
  };
  return (
    <main>
      <h1>Token</h1>
      <p>
        This console asks its readers for a token. It is forgotten when the page is closed or loaded again.
      </p>
      <form onSubmit={submit}>
        <label>
          Token{' '}
          <input
            type="password"
            autoComplete="off"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </label>{' '}
        <button type="submit">Show it</button>
      </form>
    </main>
  );
}
