import {
  encodeStateAnswer,
  encodeStateRequest,
  type NodeId,
  type StateAnswers,
  type StateKind,
  type StatePort,
  type StateQuestions,
  type StateRequest,
  type StateSource,
} from '@tetrad/node-peer';
import type { SourcePoolOptions } from '../source-pool.js';
import type { StateFileHead, StateFileWriter } from './state-file.js';

/** This node as the only peer of one that joins: each answer is written to a file with its question. */
export class RecordedSource {
  private readonly source: StateSource;

  constructor(
    private readonly port: StatePort,
    private readonly writer: StateFileWriter,
    head: StateFileHead,
  ) {
    this.source = sourceAt(head);
  }

  async ask<Kind extends StateKind>(kind: Kind, question: StateQuestions[Kind]): Promise<StateAnswers[Kind]> {
    const answer = await this.port[kind](question);
    await this.writer.append({
      question: encodeStateRequest({ kind, ...question } as StateRequest),
      answer: encodeStateAnswer(kind, answer),
    });
    return answer;
  }

  /** As peers are asked. */
  get peers(): SourcePoolOptions['peers'] {
    return {
      sources: () => [this.source],
      ask: async (_, kind, question) => ({ kind: 'answered', answer: await this.ask(kind, question) }),
      blame: (_, reason) => {
        throw new Error(`this node has a false part of the chain: ${reason}`);
      },
    };
  }
}

/** What a file is to a node that joins from it. */
export function sourceAt({ number, hash }: StateFileHead): StateSource {
  return { nodeId: 'file' as unknown as NodeId, shortId: 'file', head: { number, hash } };
}
