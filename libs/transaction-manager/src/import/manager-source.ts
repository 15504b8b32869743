import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { PtmKey } from '@tetrad/types';
import { Agent, request, type Dispatcher } from 'undici';
import { toBase64 } from '../payload/base64.js';
import { HASH_BYTES } from '../payload/encoded-payload.js';
import { MAX_VALUE_BYTES } from './dump/sql-lexer.js';
import { ImportRefusedError } from './import-refused-error.js';
import type { TesseraRecord } from './tessera-tables.js';

const TIMEOUT_MS = 30_000;
/** Hashes of one list, and those that are named when they were not found. */
const MAX_HASHES = 100_000_000;
const MAX_NAMED = 20;
/** Characters of a line, of which a hash takes 130 at most. */
const MAX_LINE = 1_000;

/** What a running manager did not give. */
export interface NotGiven {
  /** Hashes of payloads with privacy flags, which it gives to no single request; and of those it does not have. */
  readonly flagged: number;
  readonly missing: number;
  /** Hashes of both, in base64; at most 20 each. */
  readonly flaggedHashes: readonly string[];
  readonly missingHashes: readonly string[];
}

/** A running manager, asked at its peer port for one payload after another. */
export class ManagerSource {
  private readonly agent = new Agent({
    connect: { timeout: TIMEOUT_MS },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    maxResponseSize: MAX_VALUE_BYTES,
  });
  private readonly flagged = new Some();
  private readonly missing = new Some();

  /**
   * @param options.url - of its peer port
   * @param options.keys - ours, which it has too or has sent to
   * @param options.hashesFile - a hash on each line
   */
  constructor(
    private readonly options: {
      readonly url: string;
      readonly keys: readonly PtmKey[];
      readonly hashesFile: string;
    },
  ) {}

  get notGiven(): NotGiven {
    const { flagged, missing } = this;
    return {
      flagged: flagged.count,
      missing: missing.count,
      flaggedHashes: flagged.named,
      missingHashes: missing.named,
    };
  }

  /**
   * The payloads of the list that the manager gives.
   * @throws ImportRefusedError for the list, or an answer that is not a payload
   */
  async *records(): AsyncGenerator<TesseraRecord> {
    for await (const { hash, line } of readHashes(this.options.hashesFile)) {
      const encoded = await this.ask(hash);
      if (encoded === 'flagged') this.flagged.add(hash);
      else if (encoded === undefined) this.missing.add(hash);
      else
        yield {
          kind: 'payload',
          place: `hash ${line} of the list`,
          nameField: 'hash',
          hash,
          encoded,
          codec: 'LEGACY',
        };
    }
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }

  /** Asks in the name of each key, until one gets the payload. */
  private async ask(hash: Uint8Array): Promise<Uint8Array | 'flagged' | undefined> {
    for (const publicKey of this.options.keys) {
      const { status, body } = await this.post({ type: 'INDIVIDUAL', publicKey, key: toBase64(hash) });
      if (status === 200) return body;
      // Its text: Cannot resend enhanced privacy transaction in legacy resend.
      if (status === 403) return 'flagged';
      if (status !== 404 && !isOtherRecipient(status, body))
        throw this.refusal(`answered ${status} ${textOf(body)}`);
    }
    return undefined;
  }

  private async post(value: object): Promise<{ status: number; body: Uint8Array }> {
    try {
      const answer = await request(`${this.options.url}resend`, {
        method: 'POST',
        dispatcher: this.agent as Dispatcher,
        body: JSON.stringify(value),
        headers: { 'content-type': 'application/json' },
      });
      return { status: answer.statusCode, body: new Uint8Array(await answer.body.arrayBuffer()) };
    } catch (error) {
      throw this.refusal(`does not answer: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private refusal(what: string): ImportRefusedError {
    return new ImportRefusedError(`the manager at ${this.options.url} ${what}`);
  }
}

/** What a Tessera answers when the payload has no box for the key. */
function isOtherRecipient(status: number, body: Uint8Array): boolean {
  return (status === 400 || status === 500) && textOf(body).includes('is not a recipient of transaction');
}

function textOf(body: Uint8Array): string {
  return Buffer.from(body).toString('utf8', 0, 200);
}

class Some {
  count = 0;
  readonly named: string[] = [];

  add(hash: Uint8Array): void {
    this.count += 1;
    if (this.named.length < MAX_NAMED) this.named.push(toBase64(hash));
  }
}

/**
 * Hashes in base64 or hexadecimal, one on each line; empty lines are passed over.
 * @throws ImportRefusedError with the line
 */
async function* readHashes(path: string): AsyncGenerator<{ hash: Uint8Array; line: number }> {
  const file = createReadStream(path, { encoding: 'latin1' });
  let line = 0;
  try {
    for await (const text of createInterface({ input: file, crlfDelay: Infinity })) {
      line += 1;
      if (line > MAX_HASHES || text.length > MAX_LINE)
        throw new ImportRefusedError(`${path}: line ${line}: is too long, or the list is`);
      if (text.trim() !== '') yield { hash: hashOf(text.trim(), `${path}: line ${line}`), line };
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new ImportRefusedError(`${path}: ${(error as Error).message}`);
  } finally {
    file.destroy();
  }
}

function hashOf(text: string, place: string): Uint8Array {
  const isHex = /^(?:0x)?[0-9a-fA-F]{128}$/.test(text);
  const bytes = isHex ? Buffer.from(text.slice(-2 * HASH_BYTES), 'hex') : Buffer.from(text, 'base64');
  if (bytes.length === HASH_BYTES && (isHex || bytes.toString('base64') === text)) return bytes;
  throw new ImportRefusedError(`${place}: is not a hash of ${HASH_BYTES} bytes in base64 or hexadecimal`);
}
