import { writeFile } from 'node:fs/promises';
import { connectDatabase, createDatabase, migrateDeploy, prismaFolder, type Database } from '@tetrad/db';

/** A statement of a store, and the calls of its client that do the same. */
export interface ComparedStatement {
  /** Name of its file. */
  readonly statement: string;
  readonly rows: number;
  /** Measured once, as it is the first time, and not once code is compiled. */
  readonly isFirst?: boolean;
  client(): Promise<unknown>;
  sql(): Promise<unknown>;
}

/** Of one turn: milliseconds of CPU of this process, and on the clock. */
interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** What a statement costs each way. */
export interface RowCost extends Pick<ComparedStatement, 'statement' | 'rows'> {
  readonly client: Cost;
  readonly sql: Cost;
}

const TURNS = 40;

/**
 * The database of a program `measure-rows.js URL REPORT`: a new one on the server of the URL, with the migrations of the service.
 *
 * @param settings - of the service's connections
 */
export async function openMeasuredDatabase(
  service: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Database> {
  const url = await createDatabase(process.argv[2] ?? '', `measure_${service}_rows`);
  await migrateDeploy(url, prismaFolder(service));
  return connectDatabase({ url, settings });
}

/**
 * Measures each of them, and writes what they cost into the report of the program.
 *
 * @param compared - may be made one after the other, where a first call must be the first of its client
 */
export async function reportRowCosts(
  compared: readonly ComparedStatement[] | AsyncIterable<ComparedStatement>,
): Promise<void> {
  const costs: RowCost[] = [];
  for await (const { statement, rows, isFirst = false, client, sql } of compared) {
    const turns = isFirst ? 1 : TURNS;
    costs.push({ statement, rows, client: await costOf(client, turns), sql: await costOf(sql, turns) });
  }
  await writeFile(process.argv[3] ?? '', JSON.stringify(costs));
}

async function costOf(work: () => Promise<unknown>, turns: number): Promise<Cost> {
  for (let turn = 0; turn < Math.floor(turns / 4); turn++) await work();
  const [cpu, started] = [process.cpuUsage(), performance.now()];
  for (let turn = 0; turn < turns; turn++) await work();
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMs: (user + system) / 1_000 / turns, wallMs: (performance.now() - started) / turns };
}
