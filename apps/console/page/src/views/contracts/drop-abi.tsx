import { useState, type ChangeEvent, type DragEvent } from 'react';
import { AbiFault } from '../../abi/abi-fault.js';
import { MAX_FILE } from '../../abi/bounded-json.js';
import type { Use } from '../../abi/kept-abi.js';
import { addAbiFile } from '../../abi/kept-abis.js';
import { count } from '../../parts/format.js';

/** Files of one drop. */
const MAX_FILES = 20;

interface Said {
  readonly file: string;
  readonly text: string;
  readonly isProblem: boolean;
}

/**
 * Takes ABI files: dropped in, or chosen by keyboard.
 * @param options.use - what the contract of a file with one is used for
 */
export function DropAbi({ use, label }: { readonly use: Use; readonly label: string }) {
  const [said, setSaid] = useState<readonly Said[]>([]);
  const [isOver, setOver] = useState(false);
  const take = (files: Iterable<File>) =>
    void Promise.all([...files].slice(0, MAX_FILES).map((file) => read(file, use))).then(setSaid);
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    take(target.files ?? []);
    // The same file can be chosen again.
    target.value = '';
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return (
    <div
      className={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <label>
        {label}, or drop it here{' '}
        <input type="file" accept=".json,.abi,application/json" multiple onChange={choose} />
      </label>
      <div role="status">
        {said.map(({ file, text, isProblem }, index) => (
          <p key={index} className={isProblem ? 'failed' : 'empty'}>
            <bdi>{file.slice(0, 100)}</bdi>: <bdi>{text}</bdi>
          </p>
        ))}
      </div>
    </div>
  );
}

async function read(file: File, use: Use): Promise<Said> {
  try {
    if (file.size > MAX_FILE) throw new AbiFault('', `the file has more than ${MAX_FILE} bytes`);
    const added = addAbiFile(await file.text(), file.name, use);
    return {
      file: file.name,
      text: `${count(added)} ${added === 1 ? 'contract' : 'contracts'} read.`,
      isProblem: false,
    };
  } catch (error) {
    const text = error instanceof AbiFault ? error.message : 'the file cannot be read';
    return { file: file.name, text, isProblem: true };
  }
}
