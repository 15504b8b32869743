import { keyToBytes } from '../src/keys/key-pair.js';
import { decodeBinaryPayload } from '../src/payload/binary-payload.js';
import { payloadHash } from '../src/payload/encoded-payload.js';
import { copyForRecipient } from '../src/payload/recipient-copy.js';
import { hexBytes, recorded, type RecordedExchange } from './recorded.js';
import type { RunningManager } from './running-managers.js';

/** Ports of the recording → the port of ours that replaces each. */
const PORTS: Readonly<Record<string, keyof Pick<RunningManager, 'clientUrl' | 'peerUrl' | 'thirdPartyUrl'>>> =
  {
    q: 'clientUrl',
    p: 'peerUrl',
    t: 'thirdPartyUrl',
  };

/** A recorded answer and the actual one, in comparable form. */
export interface Compared {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: unknown;
}

const SECOND_KEYS = [recorded.keys['b1']?.public, recorded.keys['b2']?.public];

/** Asks managers of ours what was asked of recorded ones. */
export class Replay {
  /** Texts of the recording that are others here: URLs, and hashes of payloads, which are random. */
  private readonly ours = new Map<string, string>();

  constructor(private readonly managers: readonly RunningManager[]) {
    managers.forEach((manager, index) => {
      this.ours.set(`http://127.0.0.1:${9081 + index}/`, manager.clientUrl);
      this.ours.set(`http://127.0.0.1:${9101 + index}/`, manager.peerUrl);
    });
  }

  /** Stores what the recorded managers had stored for requests that are not in the recording. */
  async seed(): Promise<void> {
    const [first, second] = this.managers as [RunningManager, RunningManager];
    const { stored } = first;
    const answered = recorded.http.map(({ response }) => HASH.exec(response.body ?? '')?.[0]);
    for (const { hash, encodedPayload } of recorded.senderRecords) {
      if (answered.includes(hash)) continue;
      const payload = decodeBinaryPayload(hexBytes(encodedPayload));
      const row = { hash: payloadHash(payload), encoded: hexBytes(encodedPayload) };
      await stored.payloads.add({ ...row, recipients: payload.recipientKeys.map(keyToBytes) });
      const elsewhere = payload.recipientKeys.filter((key) => SECOND_KEYS.includes(key));
      for (const key of elsewhere) await second.manager.push(copyForRecipient(payload, key));
    }
    for (const { sender, cipherText, nonce, encryptedKey } of recorded.storeraw) {
      const raw = { sender, cipherText: hexBytes(cipherText), nonce: hexBytes(nonce) };
      await stored.raws.add({ ...raw, encryptedKey: hexBytes(encryptedKey) });
    }
  }

  /**
   * Stores a payload that the recording did not store.
   * @param options.request - the one that sends it
   */
  async storeRawFor({ bodyHex, body }: RecordedExchange['request']): Promise<void> {
    const hash =
      typeof bodyHex === 'string'
        ? Buffer.from(bodyHex, 'hex').toString('base64')
        : (JSON.parse(body ?? '') as { hash: string }).hash;
    const stored = await this.managers[0]?.manager.storeRaw(Buffer.from('6060604052', 'hex'), undefined);
    this.learn(hash, Buffer.from(stored ?? []).toString('base64'));
  }

  /** @returns the recorded answer with our URLs and hashes, and ours */
  async ask({
    server,
    request,
    response,
  }: RecordedExchange): Promise<{ expected: Compared; answered: Compared }> {
    const [port = '', node = ''] = server;
    const manager = this.managers[Number(node) - 1];
    const url = manager?.[PORTS[port] ?? 'clientUrl'] ?? '';
    const text = await fetch(url.slice(0, -1) + this.translate(request.path), {
      method: request.method,
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, this.translate(value)]),
      ),
      ...(request.method === 'GET' ? {} : { body: bodyOf(request, (body) => this.translate(body)) }),
    }).then(async (answer) => {
      const body = Buffer.from(await answer.arrayBuffer());
      return { status: answer.status, type: answer.headers.get('content-type') ?? undefined, body };
    });
    const answered = { ...text, body: readable(text.body.toString('utf8')) };
    this.learn(response.body ?? '', text.body.toString('utf8'));
    const type = response.headers['Content-Type'];
    const expected = {
      status: response.status,
      type: type === undefined ? undefined : type,
      body: readable(this.translate(response.body ?? '')),
    };
    return { expected, answered };
  }

  /** Remembers under which hash a payload of the recording is here. */
  private learn(theirs: string, ours: string): void {
    const [before] = HASH.exec(theirs) ?? [];
    const [after] = HASH.exec(ours) ?? [];
    if (before === undefined || after === undefined || this.ours.has(before)) return;
    this.ours.set(before, after);
    this.ours.set(encodeURIComponent(before), encodeURIComponent(after));
  }

  private translate(text: string): string {
    let translated = text;
    for (const [theirs, ours] of this.ours) translated = translated.replaceAll(theirs, ours);
    return translated;
  }
}

/** The base64 of 64 bytes, as the whole text or the value of `key`. */
const HASH = /(?<=^|^\{"key":")[A-Za-z0-9+/]{86}==(?=$|")/;

function bodyOf(
  request: RecordedExchange['request'],
  translate: (text: string) => string,
): string | Uint8Array<ArrayBuffer> {
  const { bodyHex } = request;
  if (typeof bodyHex !== 'string') return translate(request.body ?? '');
  // A raw hash is looked up as the text that it is in JSON.
  const bytes = Buffer.from(bodyHex, 'hex');
  return Uint8Array.from(
    bytes.length === 64 ? Buffer.from(translate(bytes.toString('base64')), 'base64') : bytes,
  );
}

/** JSON as its value, with lists that are sets in one order; keys between commas likewise. */
function readable(body: string): unknown {
  const plain = body.replaceAll(/com\.quorum\.tessera\.api\.SendRequest@[0-9a-f]+/g, 'SendRequest');
  try {
    return sorted(JSON.parse(plain));
  } catch {
    return plain.includes('=,') ? plain.split(',').sort() : plain;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, sorted(member)]));
}
