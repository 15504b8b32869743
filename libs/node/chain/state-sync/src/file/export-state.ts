import { HeaderChain, type BftChain, type KnownHeader } from '@tetrad/node-consensus-bft-chain';
import { decodeHeader } from '@tetrad/node-block';
import { MAX_REQUESTED_HEADERS, MAX_STATE_BUDGET, type StatePort } from '@tetrad/node-peer';
import type { LedgerStore, StatePartWrite } from '@tetrad/node-store';
import { hashToBytes, type Clock, type Logger } from '@tetrad/types';
import { keyOf } from '../contents.js';
import { SourcePool } from '../source-pool.js';
import { TakenState } from '../taken-state.js';
import { FIRST_KEY } from '../trie-keys.js';
import { RecordedSource } from './recorded-source.js';
import { StateFileError } from './state-file-error.js';
import { StateFileWriter, type StateFileHead } from './state-file.js';

export interface StateExportOptions {
  readonly chain: BftChain;
  readonly store: Pick<LedgerStore, 'findBlockByNumber'>;
  /** What this node answers to peers. */
  readonly port: StatePort;
  readonly path: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** What a file has. */
export interface StateExport {
  /** The block whose state is in the file. */
  readonly block: number;
  readonly bytes: number;
}

/**
 * Writes headers and the state of the block before the newest one to a file, as a node that joins asks for them. All of it is verified
 * on the way.
 * @throws StateFileError when this node has no past to leave out, or lacks the state
 */
export async function exportState(options: StateExportOptions): Promise<StateExport> {
  const { chain, path } = options;
  const head = chain.ledger.head();
  const { number } = head.header;
  if (number < 2) throw new StateFileError('the chain has no past to leave out');
  const genesis = await chain.ledger.findHeader(0);
  if (genesis === undefined) throw new StateFileError('the database lacks block 0');
  const fileHead = { genesisHash: genesis.hash, number, hash: head.hash };
  const writer = await StateFileWriter.create(path, fileHead);
  try {
    await record(options, writer, fileHead);
    await writer.end();
    return { block: number - 1, bytes: writer.bytes };
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

async function record(
  options: StateExportOptions,
  writer: StateFileWriter,
  head: StateFileHead,
): Promise<void> {
  const source = new RecordedSource(options.port, writer, head);
  const last = await recordHeaders(options, source, head);
  const { clock, logger, signal } = options;
  const pool = new SourcePool({ peers: source.peers, clock, logger, signal });
  const { number, stateRoot } = last.block.header;
  // As a node that joins, it does not ask twice for a code; that node has stored it, and forgets preimages when it is killed.
  const codes = new Map<string, Uint8Array>();
  const put = async (part: StatePartWrite) => {
    for (const { hash } of part.codes) codes.set(keyOf(hash), hash);
  };
  await new TakenState({
    store: { stateSync: { put }, findCode: async (hash) => codes.get(keyOf(hash)) },
    pool,
    block: number,
    stateRoot: hashToBytes(stateRoot),
    onProgress: () => undefined,
    rememberedPreimages: 1,
    isOrdered: true,
  }).run(FIRST_KEY);
}

/** @returns the header whose state is wanted */
async function recordHeaders(
  { chain, store, signal }: StateExportOptions,
  source: RecordedSource,
  head: StateFileHead,
): Promise<KnownHeader> {
  const { ledger, rules } = chain;
  const findHash = async (number: number) => (await store.findBlockByNumber(number))?.hash;
  const witness = async (number: number) => {
    const shown = await source.ask('validators', { number });
    if (shown === undefined)
      throw new StateFileError(`this node does not show the validators after block ${number}`);
    return shown;
  };
  const headers = new HeaderChain(chain, { witness, findHash });
  const genesis = await ledger.findHeader(0);
  if (genesis === undefined) throw new StateFileError('the database lacks block 0');
  let last: KnownHeader = { block: genesis, snapshot: await ledger.snapshotAt(0) };
  while (last.block.header.number < head.number - 1) {
    signal.throwIfAborted();
    const from = last.block.header.number + 1;
    const limit = Math.min(MAX_REQUESTED_HEADERS, head.number - from);
    const raws = await source.ask('headers', { from, limit, byteBudget: MAX_STATE_BUDGET });
    const decoded = raws.map((raw) => {
      const header = decodeHeader(raw);
      return { header, hash: rules.hashHeader(header) };
    });
    last = (await headers.verify(decoded, last)).at(-1) ?? last;
    if (last.block.header.number < from) throw new StateFileError(`this node has no header ${from}`);
  }
  return headers.settle(last);
}
