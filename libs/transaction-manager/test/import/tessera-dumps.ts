import { createHash } from 'node:crypto';
import { decodeBinaryPayload } from '../../src/payload/binary-payload.js';
import { encodeCborPayload } from '../../src/payload/cbor-payload.js';
import { encodeGroupMessage } from '../../src/group/group-message.js';
import { groupId, groupLookup } from '../../src/group/group-id.js';
import { hexBytes, recorded, recordedPair } from '../recorded.js';

type Value = Uint8Array | string | number | null;

/** A table of a Tessera's database. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

const NAMES = ['hash', 'encoded_payload', 'payload_codec', 'timestamp'];
/** Bytes that programs escape in one way or another. */
const AWKWARD = Buffer.from('\0\'"\\\n\r\t\u001a\b`;--/*$$), (%_');

/** The rows that recorded managers stored for a1: every second payload as a Tessera of the last versions encodes it. */
export function recordedTables(): Table[] {
  const payloads = recorded.senderRecords.map(({ hash, encodedPayload }, index) => {
    const encoded = hexBytes(encodedPayload);
    const isCbor = index % 2 === 1;
    const stored = isCbor ? encodeCborPayload(decodeBinaryPayload(encoded)) : encoded;
    const codec = isCbor ? 'CBOR' : index % 4 === 0 ? null : 'LEGACY';
    return [Buffer.from(hash, 'base64'), stored, codec, 1_600_000_000_000 + index];
  });
  const raws = recorded.storeraw.map((raw) => [
    Buffer.from(raw.hash, 'base64'),
    hexBytes(raw.encryptedKey),
    hexBytes(raw.cipherText),
    hexBytes(raw.nonce),
    Buffer.from(raw.sender, 'base64'),
    null,
  ]);
  return [
    { name: 'others', columns: ['data', 'note'], rows: [[AWKWARD, "it's; INSERT INTO t (\\"]] },
    { name: 'encrypted_transaction', columns: NAMES, rows: payloads },
    {
      name: 'encrypted_raw_transaction',
      columns: ['hash', 'encrypted_key', 'encrypted_payload', 'nonce', 'sender', 'timestamp'],
      rows: raws,
    },
    { name: 'privacy_group', columns: ['id', 'lookup_id', 'data', 'timestamp'], rows: [groupRow()] },
  ];
}

function groupRow(): Value[] {
  const members = recorded.privacyGroup.members.map((name) => recordedPair(name).publicKey);
  const seed = hexBytes(recorded.privacyGroup.seed);
  const group = {
    name: "a 'group'",
    description: 'of two',
    members,
    seed,
    kind: 'PANTHEON',
    active: true,
  } as const;
  return [groupId(members, seed), groupLookup(members), encodeGroupMessage(group), 1];
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** What `pg_dump` writes: with `COPY`, or with `--inserts`, whose rows have column names with `--column-inserts`. */
export function postgresDump(
  tables: readonly Table[],
  form: 'copy' | 'inserts' | 'column-inserts' | 'escape' = 'copy',
): string {
  const literal = (value: Value) => {
    if (value === null) return 'NULL';
    if (typeof value === 'number') return String(value);
    return `'${typeof value === 'string' ? value.replaceAll("'", "''") : `\\x${hex(value)}`}'`;
  };
  const field = (value: Value) => {
    if (value === null) return '\\N';
    if (typeof value === 'string' || typeof value === 'number') return copyText(String(value));
    return copyText(form === 'escape' ? escaped(value) : `\\x${hex(value)}`);
  };
  const parts = tables.map(({ name, columns, rows }) => {
    const quoted = columns.map((column) => (column === 'timestamp' ? '"timestamp"' : column)).join(', ');
    const named = form === 'column-inserts' ? ` (${quoted})` : '';
    const data =
      form === 'copy' || form === 'escape'
        ? `COPY public.${name} (${quoted}) FROM stdin;\n${rows.map((row) => `${row.map(field).join('\t')}\n`).join('')}\\.\n`
        : rows
            .map((row) => `INSERT INTO public.${name}${named} VALUES (${row.map(literal).join(', ')});\n`)
            .join('');
    const types = columns.map(
      (column) => `    ${column} ${column === 'timestamp' ? 'numeric(19,0)' : 'bytea NOT NULL'}`,
    );
    return `CREATE TABLE public.${name} (\n${types.join(',\n')}\n);\n\nALTER TABLE public.${name} OWNER TO tessera;\n\n--\n-- Data for Name: ${name}; Type: TABLE DATA\n--\n\n${data}\n`;
  });
  return `--\n-- PostgreSQL database dump\n--\n\n\\restrict Abc123\n\nSET standard_conforming_strings = on;\nCREATE FUNCTION public.f() RETURNS void LANGUAGE sql AS $_$ INSERT INTO encrypted_transaction; $_$;\n\n${parts.join('')}--\n-- PostgreSQL database dump complete\n--\n\n\\unrestrict Abc123\n`;
}

function copyText(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\r', '\\r');
}

function escaped(bytes: Uint8Array): string {
  return [...bytes]
    .map((byte) => {
      if (byte === 0x5c) return '\\\\';
      return byte < 0x20 || byte > 0x7e
        ? `\\${byte.toString(8).padStart(3, '0')}`
        : String.fromCharCode(byte);
    })
    .join('');
}

/** What `mysqldump` and `mariadb-dump` write: rows of a table in one statement, bytes as they are or with `--hex-blob`. */
export function mysqlDump(
  tables: readonly Table[],
  form: 'binary' | 'plain' | 'hex-blob' = 'binary',
): Buffer {
  const literal = (value: Value): Buffer => {
    if (value === null) return Buffer.from('NULL');
    if (typeof value === 'number') return Buffer.from(String(value));
    if (typeof value !== 'string' && form === 'hex-blob') return Buffer.from(`0x${hex(value).toUpperCase()}`);
    const prefix = typeof value !== 'string' && form === 'binary' ? '_binary ' : '';
    return Buffer.concat([Buffer.from(`${prefix}'`), mysqlEscaped(Buffer.from(value)), Buffer.from("'")]);
  };
  const parts = tables.map(({ name, columns, rows }) => {
    const types = columns.map((column) => `  \`${column.toUpperCase()}\` varbinary(100) NOT NULL DEFAULT ''`);
    const head = `DROP TABLE IF EXISTS \`${name.toUpperCase()}\`;\n/*!40101 SET character_set_client = utf8 */;\nCREATE TABLE \`${name.toUpperCase()}\` (\n${types.join(',\n')},\n  PRIMARY KEY (\`${columns[0]?.toUpperCase()}\`),\n  KEY \`other\` (\`${columns[0]?.toUpperCase()}\`)\n) ENGINE=InnoDB;\nLOCK TABLES \`${name}\` WRITE;\nINSERT INTO \`${name.toUpperCase()}\` VALUES `;
    const values = rows.flatMap((row, index) => [
      Buffer.from(index === 0 ? '(' : ',('),
      ...row.flatMap((value, at) => [Buffer.from(at === 0 ? '' : ','), literal(value)]),
      Buffer.from(')'),
    ]);
    return Buffer.concat([Buffer.from(head), ...values, Buffer.from(';\nUNLOCK TABLES;\n')]);
  });
  return Buffer.concat([
    Buffer.from("-- MySQL dump 10.13  Distrib 8.0.36\n# it's a comment\n"),
    ...parts,
    Buffer.from('\n-- Dump completed on 2026-11-25  8:00:00\n'),
  ]);
}

const MYSQL = new Map(
  [...'\0\b\n\r\t\u001a\\\'"'].map((one, index) => [one.charCodeAt(0), '0bnrtZ\\\'"'[index] ?? '']),
);

function mysqlEscaped(bytes: Uint8Array): Buffer {
  return Buffer.concat(
    [...bytes].map((byte) => {
      const letter = MYSQL.get(byte);
      return letter === undefined ? Buffer.of(byte) : Buffer.from(`\\${letter}`);
    }),
  );
}

/** What H2 writes for `SCRIPT TO`; large values in parts of that many bytes, if it is given. */
export function h2Dump(tables: readonly Table[], partBytes?: number): string {
  let lobs = 0;
  const streams: string[] = [];
  const literal = (value: Value) => {
    if (value === null) return 'NULL';
    if (typeof value === 'number') return String(value);
    if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
    if (partBytes === undefined || value.length <= partBytes) return `X'${hex(value)}'`;
    for (let part = 0; part * partBytes < value.length; part += 1) {
      const bytes = value.subarray(part * partBytes, (part + 1) * partBytes);
      streams.push(`INSERT INTO SYSTEM_LOB_STREAM VALUES(${lobs}, ${part}, NULL, X'${hex(bytes)}');`);
    }
    return `SYSTEM_COMBINE_BLOB(${lobs++})`;
  };
  const parts = tables.map(({ name, columns, rows }) => {
    const table = `"PUBLIC"."${name.toUpperCase()}"`;
    const types = columns.map((column) => `    "${column.toUpperCase()}" BINARY VARYING(1048576) NOT NULL`);
    const values = rows.map((row) => `(${row.map(literal).join(', ')})`).join(',\n');
    const before = streams.splice(0).join('\n');
    return `CREATE CACHED TABLE ${table}(\n${types.join(',\n')}\n);\nALTER TABLE ${table} ADD CONSTRAINT "PUBLIC"."C_${lobs}" PRIMARY KEY("${columns[0]?.toUpperCase()}");\n-- ${rows.length} +/- SELECT COUNT(*) FROM ${table};\n${before}\nINSERT INTO ${table} VALUES\n${values};\n`;
  });
  return `;\nCREATE USER IF NOT EXISTS "SA" SALT '00' HASH '00' ADMIN;\nCREATE CACHED LOCAL TEMPORARY TABLE IF NOT EXISTS SYSTEM_LOB_STREAM(ID INT NOT NULL, PART INT NOT NULL, CDATA VARCHAR, BDATA VARBINARY);\n${parts.join('')}`;
}

/** What `.dump` of SQLite writes. */
export function sqliteDump(tables: readonly Table[]): string {
  const literal = (value: Value) => {
    if (value === null) return 'NULL';
    if (typeof value === 'number') return String(value);
    return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : `X'${hex(value)}'`;
  };
  const parts = tables.map(
    ({ name, columns, rows }) =>
      `CREATE TABLE ${name.toUpperCase()} (${columns.map((column) => `${column.toUpperCase()} BLOB NOT NULL`).join(', ')}, PRIMARY KEY (${columns[0]}));\n${rows
        .map((row) => `INSERT INTO ${name.toUpperCase()} VALUES(${row.map(literal).join(',')});\n`)
        .join('')}`,
  );
  return `PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n${parts.join('')}COMMIT;\n`;
}

/** A file in pieces of that many bytes. */
export async function* inPieces(bytes: Uint8Array | string, size: number): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(bytes);
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
}

/** A short name of bytes, for comparison. */
export function digest(bytes: Uint8Array | undefined): string | undefined {
  return bytes && createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}
