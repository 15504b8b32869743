import { keccak256 } from '@tetrad/crypto';
import {
  MAX_REQUESTED_CONTENTS,
  decodeStateAnswer,
  encodeStateRequest,
  type StateAnswers,
  type StateKind,
  type StateQuestions,
  type StateRequest,
} from '@tetrad/node-peer';
import { RlpFields } from '@tetrad/rlp';
import { LRUCache } from 'lru-cache';
import { keyOf } from '../contents.js';
import type { SourcePoolOptions } from '../source-pool.js';
import { sourceAt } from './recorded-source.js';
import { StateFileError } from './state-file-error.js';
import type { StateFileHead, StateFileReader, StateRecord } from './state-file.js';

/** Code of questions for contents, which may be asked in other parts than they were recorded. */
const CONTENTS = 7;
/**
 * Contents that are kept, with what each of them costs besides its bytes: several times those of one question. Those that were recorded
 * long before the one that is asked for were passed over. Units: bytes
 */
const KEPT = { bytes: 64 * 1024 * 1024, ofEach: 256 };

/**
 * A file as the only peer of a node that joins. It is read once, from its beginning on: what a node does not ask for again, after it was
 * killed, is passed over. Nothing in it is believed more than what a peer says.
 */
export class FileSource {
  /** Contents since the last range that was asked for, by the hex of their hash. */
  private readonly contents = new LRUCache<string, Uint8Array>({
    maxSize: KEPT.bytes,
    sizeCalculation: ({ length }) => length + KEPT.ofEach,
  });

  /** @param fail - ends the work with an error */
  constructor(
    private readonly reader: StateFileReader,
    private readonly head: StateFileHead,
    private readonly fail: (error: StateFileError) => void,
  ) {}

  /** As peers are asked. */
  get peers(): SourcePoolOptions['peers'] {
    const source = sourceAt(this.head);
    return {
      sources: () => [source],
      ask: async (_, kind, question) => ({ kind: 'answered', answer: await this.ask(kind, question) }),
      blame: (_, reason) => this.fail(new StateFileError(`the file has a false part: ${reason}`)),
    };
  }

  private async ask<Kind extends StateKind>(
    kind: Kind,
    question: StateQuestions[Kind],
  ): Promise<StateAnswers[Kind]> {
    if (kind === 'contents')
      return (await this.findContents(question as StateQuestions['contents'])) as StateAnswers[Kind];
    const wanted = Buffer.from(encodeStateRequest({ kind, ...question } as StateRequest));
    this.contents.clear();
    for (;;) {
      const record = await this.reader.next();
      if (record === undefined) throw new StateFileError(`the file does not have the ${kind} that follow`);
      if (wanted.equals(record.question))
        return wellFormed(() => decodeStateAnswer(kind, record.answer, question));
    }
  }

  /**
   * A range that a killed node does not ask for again may lie between: the accounts of the last range come before what belongs to the one
   * before it.
   * @throws StateFileError when one is not there any more
   */
  private async findContents({
    what,
    hashes,
  }: StateQuestions['contents']): Promise<StateAnswers['contents']> {
    while (hashes.some((hash) => !this.contents.has(keyOf(hash)))) {
      const record = await this.reader.next();
      if (record === undefined) throw new StateFileError(`the file lacks a ${what}`);
      for (const content of contentsOf(record))
        if (content !== undefined) this.contents.set(keyOf(keccak256(content)), Uint8Array.from(content));
    }
    return hashes.map((hash) => this.contents.get(keyOf(hash)));
  }
}

/** The contents of a record; none where it is an answer to another kind of question. */
function contentsOf({ question, answer }: StateRecord): readonly (Uint8Array | undefined)[] {
  const fields = RlpFields.of(question, 'question', (message) => new StateFileError(message));
  if (fields.count('code', 255) !== CONTENTS) return [];
  const hashes = Array<Uint8Array>(MAX_REQUESTED_CONTENTS).fill(new Uint8Array(0));
  return wellFormed(() => decodeStateAnswer('contents', answer, { what: 'node', hashes, byteBudget: 0 }));
}

/** @throws StateFileError when the bytes are no answer */
function wellFormed<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new StateFileError(`the file has a malformed record: ${String(error)}`);
  }
}
