import { connectDatabase } from '@tetrad/db';

/** A text in private payloads, storage and logs that must not occur anywhere else; 30 bytes, so that it fits a slot. */
export const MARKER = 'plaintext for two parties only';

const BYTES = Buffer.from(MARKER);

/** The part of the base64 of the bytes that does not depend on the bytes before and after them. */
function base64At(offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), BYTES]).toString('base64');
  const whole = Math.floor((offset + BYTES.length) / 3) * 4;
  return text.slice(offset === 0 ? 0 : 4, whole);
}

/** The marker as text, hex and base64 of either alphabet, at any place in what is encoded. */
const FORMS: readonly string[] = [
  MARKER,
  BYTES.toString('hex'),
  ...[0, 1, 2].map(base64At).flatMap((text) => [text, text.replace(/\+/g, '-').replace(/\//g, '_')]),
];

/** Whether the text holds the marker in any form. */
export function holdsMarker(text: string): boolean {
  return FORMS.some((form) => text.includes(form)) || text.toLowerCase().includes(BYTES.toString('hex'));
}

/** Names of the tables in which a row holds the marker, as bytes or as text. */
export async function tablesWithMarker(databaseUrl: string): Promise<string[]> {
  const database = await connectDatabase({ url: databaseUrl, poolSize: 1 });
  try {
    const { rows } = await database.pool.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    const found: string[] = [];
    for (const { name } of rows) {
      const content = await database.pool.query<{ row: string }>(`SELECT t::text AS row FROM "${name}" t`);
      if (content.rows.some(({ row }) => holdsMarker(row))) found.push(name);
    }
    return found.sort();
  } finally {
    await database.close();
  }
}
