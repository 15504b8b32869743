import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** `node bundle/db.js migrate deploy SERVICE`, for a job that migrates before the service is rolled out. */
const DATABASE = { db: 'libs/db/src/main.ts' };

/** Loads the library of an HSM. */
const PKCS11_PROCESS = 'libs/remote-keys/src/pkcs11/pkcs11-process.ts';

/** The programs of a service by name, as sources from the root; threads are started from files of their own. */
const ENTRIES = {
  node: {
    ...DATABASE,
    main: 'apps/node/src/main.ts',
    'write-genesis': 'apps/node/src/write-genesis.ts',
    'execution-worker': 'libs/node/chain/simulation/src/threads/execution-worker.ts',
    'sender-worker': 'libs/node/chain/execution/src/transaction/sender-worker.ts',
    'pkcs11-process': PKCS11_PROCESS,
  },
  'rollup-operator': {
    ...DATABASE,
    main: 'apps/rollup-operator/src/main.ts',
    'check-worker': 'libs/rollup/operations/src/check-worker.ts',
    'pkcs11-process': PKCS11_PROCESS,
  },
  signer: {
    ...DATABASE,
    main: 'apps/signer/src/main.ts',
    'pkcs11-process': PKCS11_PROCESS,
  },
  'transaction-manager': {
    ...DATABASE,
    main: 'apps/transaction-manager/src/main.ts',
    'key-file-worker': 'libs/transaction-manager/src/keys/key-file-worker.ts',
  },
  wallet: {
    ...DATABASE,
    main: 'apps/wallet/src/main.ts',
    'signing-worker': 'libs/wallet/key/src/signature/signing-worker.ts',
    'pkcs11-process': PKCS11_PROCESS,
  },
  console: {
    main: 'apps/console/src/main.ts',
    'compiler-worker': 'libs/console/src/sources/compiler-worker.ts',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Programs besides the services, by their app: the launcher, and the commands of an account holder of the rollup. */
const PROGRAM_ENTRIES = {
  cli: { main: 'apps/cli/src/main.ts' },
  'rollup-client': { main: 'apps/rollup-client/src/main.ts' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

export type Service = keyof typeof ENTRIES;

export const SERVICES = Object.keys(ENTRIES) as readonly Service[];

export type Program = keyof typeof PROGRAM_ENTRIES;

export const PROGRAMS = Object.keys(PROGRAM_ENTRIES) as readonly Program[];

/** An app that is bundled. */
export type App = Service | Program;

/** @throws Error that lists the apps when the name is not among them */
export function parseApp(name: string): App {
  const program = PROGRAMS.find((one) => one === name);
  if (program === undefined && !SERVICES.some((one) => one === name))
    throw new Error(`${name} is not one of ${[...SERVICES, ...PROGRAMS].join(', ')}`);
  return program ?? parseService(name);
}

/** @throws Error that lists the services when the name is not among them */
export function parseService(name: string | undefined): Service {
  const service = SERVICES.find((one) => one === name);
  if (service === undefined) throw new Error(`${name ?? 'nothing'} is not one of ${SERVICES.join(', ')}`);
  return service;
}

/** The files of an app's bundle by name, as sources from the root. */
export function entriesOf(app: App): Readonly<Record<string, string>> {
  return { ...ENTRIES, ...PROGRAM_ENTRIES }[app];
}

/** Whether the service keeps anything: it has a database then, and a folder for its files. */
export function keepsState(service: Service): boolean {
  return 'db' in ENTRIES[service];
}

/** Where libs/bundle writes the page of the console, in the folder of its app. */
export const PAGE_FOLDER = 'page/dist';

/** Folders of an app, at the same place in it, that a service reads beside its bundle. */
const APP_FOLDERS: Readonly<Partial<Record<Service, readonly string[]>>> = { console: [PAGE_FOLDER] };

export function appFoldersOf(service: Service): readonly string[] {
  return APP_FOLDERS[service] ?? [];
}

/** Folders from the root with files that a service reads at run time. */
const DATA: Readonly<Partial<Record<Service, readonly string[]>>> = {
  node: ['libs/node/privacy/private-state/artifacts', 'libs/node/permissions/permission-contracts/artifacts'],
  'rollup-operator': [
    'libs/rollup/circuits/artifacts',
    'libs/rollup/circuits/srs',
    'libs/rollup/chain/artifacts',
  ],
};

export function dataOf(service: Service): readonly string[] {
  return DATA[service] ?? [];
}

/** The folder of an app. */
export function appFolder(app: App): string {
  return `${ROOT}apps/${app}`;
}
