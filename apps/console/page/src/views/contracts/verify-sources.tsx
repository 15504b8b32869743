import { useState } from 'react';
import { AbiFault } from '../../abi/abi-fault.js';
import { addAbiFile } from '../../abi/kept-abis.js';
import { sourceFiles, type SourceFile } from '../../abi/source-files.js';
import { Failure } from '../../api/call-node.js';
import { verifySources, type Verification } from '../../api/source-queries.js';
import { count } from '../../parts/format.js';

/** Files that are shown. */
const MAX_SHOWN = 100;

type State =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'compiled' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'compared'; readonly verification: Verification; readonly files: readonly SourceFile[] };

/** Has sources compiled and compared with the code of the contract; those that match are shown, and their ABI is used. */
export function VerifySources({ node, address }: { readonly node: string; readonly address: string }) {
  const [state, setState] = useState<State>({ kind: 'nothing' });
  const take = (file: File | undefined) => {
    if (file === undefined) return;
    setState({ kind: 'compiled' });
    void compare(file, node, address).then(setState);
  };
  return (
    <>
      <div
        className="drop"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          take(event.dataTransfer.files[0]);
        }}
      >
        <label>
          Compare the code with sources: choose the compiler’s standard JSON input, or drop it here{' '}
          <input
            type="file"
            accept=".json,application/json"
            disabled={state.kind === 'compiled'}
            onChange={({ target }) => {
              take(target.files?.[0]);
              target.value = '';
            }}
          />
        </label>
        <div role="status">
          <Said state={state} />
        </div>
      </div>
      {state.kind === 'compared' && state.verification.matches.length > 0 && <Files of={state.files} />}
    </>
  );
}

async function compare(file: File, node: string, address: string): Promise<State> {
  try {
    const text = await file.text();
    const files = sourceFiles(text);
    const verification = await verifySources(node, address, text);
    const [best] = verification.matches;
    if (best !== undefined) {
      const artifact = JSON.stringify({ contractName: best.contract, abi: best.abi });
      addAbiFile(artifact, `sources of ${best.contract}`, address.toLowerCase() as `0x${string}`);
    }
    return { kind: 'compared', verification, files };
  } catch (error) {
    const isSaid = error instanceof Failure || error instanceof AbiFault;
    return { kind: 'failed', message: isSaid ? error.message : 'the file cannot be compared' };
  }
}

function Said({ state }: { readonly state: State }) {
  if (state.kind === 'nothing') return null;
  if (state.kind === 'compiled') return <p>The console compiles the sources.</p>;
  if (state.kind === 'failed')
    return (
      <p className="failed">
        <bdi className="lines">{state.message}</bdi>
      </p>
    );
  const { compiler, matches, madeBy } = state.verification;
  if (matches.length === 0)
    return (
      <p className="failed">
        No contract of these sources has this code: compiled by <bdi>{compiler}</bdi>
        {madeBy !== undefined && `; the metadata of the code names ${madeBy}`}.
      </p>
    );
  return matches.map(({ file, contract, match }) => (
    <p key={`${file}:${contract}`}>
      <span className="badge good">{match === 'exact' ? 'verified' : 'verified, apart from metadata'}</span>{' '}
      <bdi>{contract}</bdi> of <bdi>{file}</bdi>, compiled by <bdi>{compiler}</bdi>.{' '}
      {match === 'exact'
        ? 'The code is the same to the last byte.'
        : 'The instructions are the same; comments, names or paths of files differ from those of the deployment.'}
    </p>
  ));
}

function Files({ of: files }: { readonly of: readonly SourceFile[] }) {
  return (
    <>
      {files.slice(0, MAX_SHOWN).map(({ name, content }) => (
        <details key={name}>
          <summary>
            <bdi>{name}</bdi>, {count(content.split('\n').length)} lines
          </summary>
          <pre tabIndex={0}>{content}</pre>
        </details>
      ))}
    </>
  );
}
