import { wordOf, type StatusWord } from '../permissions/permission-words.js';

/** A status in a word, and by its colour. */
export function StatusBadge(props: {
  readonly status: number;
  readonly words: Readonly<Record<number, StatusWord>>;
}) {
  const { word, kind } = wordOf(props.words, props.status);
  return <span className={`badge ${kind}`}>{word}</span>;
}
