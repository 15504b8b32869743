import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { locateSoftHsm } from './locate-soft-hsm.js';

const FAULTS = [
  'hang',
  'crash',
  'busy',
  'busy-twice',
  'not-permitted',
  'logged-out',
  'removed',
  'replaced',
  'slow',
  'other-key',
  'high-s',
  'not-a-signature',
] as const;
/** Of the faulty library, whose source says what each of them is. */
export type HsmFault = (typeof FAULTS)[number];

/** SoftHSM 2 with one token, whose files are in a folder of its own. */
export interface SoftHsm {
  readonly library: string;
  readonly tokenLabel: string;
  readonly pin: string;
  readonly pinFile: string;
  readonly folder: string;
  /** For processes that find the token, and that have the faults, without being started from here. */
  readonly environment: Readonly<Record<string, string>>;
  writePin(pin: string): void;
  /** Compiles a library that passes calls on to SoftHSM, but for the fault that is set. */
  buildFaultyLibrary(): string;
  setFault(fault: HsmFault | undefined): void;
  /** The security officer gives the user another PIN. */
  setUserPin(pin: string): void;
  stop(): void;
}

const SO_PIN = '11223344';
const FAULTY_SOURCE = join(import.meta.dirname, '../native/faulty-pkcs11.c');

/** The library of SoftHSM on this host; undefined, with a line on standard error, when it or what calls it is missing. */
export function findSoftHsm(): string | undefined {
  const located = locateSoftHsm();
  if ('library' in located) return located.library;
  process.stderr.write(`SKIPPED tests of keys in an HSM: ${located.problem}\n`);
  return undefined;
}

/** Initializes a token; processes that are started from now on find it by the environment. */
export function startSoftHsm(library: string): SoftHsm {
  const folder = mkdtempSync(join(tmpdir(), 'tetrad-softhsm-'));
  const tokens = join(folder, 'tokens');
  const [tokenLabel, pin, pinFile] = ['bank', '98765', join(folder, 'pin')];
  mkdirSync(tokens);
  const settings = join(folder, 'softhsm2.conf');
  writeFileSync(
    settings,
    `directories.tokendir = ${tokens}\nobjectstore.backend = file\nlog.level = ERROR\n`,
  );
  const before = { ...process.env };
  process.env['SOFTHSM2_CONF'] = settings;
  const words = ['--init-token', '--free', '--label', tokenLabel, '--so-pin', SO_PIN, '--pin', pin];
  // Given, since a test runner has variables of its own.
  const run = (program: string, given: readonly string[]) =>
    void execFileSync(program, given, { stdio: 'ignore', env: { ...process.env } });
  run('softhsm2-util', words);
  const writePin = (content: string) => writeFileSync(pinFile, `${content}\n`, { mode: 0o600 });
  writePin(pin);
  return {
    library,
    tokenLabel,
    pin,
    pinFile,
    folder,
    environment: { SOFTHSM2_CONF: settings, FAULT_FOLDER: folder, REAL_LIBRARY: library },
    writePin,
    buildFaultyLibrary() {
      const faulty = join(folder, 'faulty.so');
      const headers = join(dirname(pkcs11jsPath()), 'includes');
      run('gcc', ['-shared', '-fPIC', '-w', `-I${headers}`, FAULTY_SOURCE, '-o', faulty, '-ldl']);
      process.env['FAULT_FOLDER'] = folder;
      process.env['REAL_LIBRARY'] = library;
      return faulty;
    },
    setFault(fault) {
      for (const one of FAULTS) rmSync(join(folder, one), { force: true });
      if (fault !== undefined) writeFileSync(join(folder, fault), '');
    },
    setUserPin: (next) => run(process.execPath, ['-e', SET_PIN, library, SO_PIN, next]),
    stop() {
      for (const name of ['SOFTHSM2_CONF', 'FAULT_FOLDER', 'REAL_LIBRARY']) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * In a process of its own, since a library knows its tokens from its start on. Its arguments are the library, the PIN of the
 * officer and the PIN.
 */
const SET_PIN = `
const { PKCS11, CKF_RW_SESSION, CKF_SERIAL_SESSION } = require(${JSON.stringify(pkcs11jsPath())});
const [library, officer, pin] = process.argv.slice(1);
const module = new PKCS11();
module.load(library);
module.C_Initialize();
const session = module.C_OpenSession(module.C_GetSlotList(true)[0], CKF_RW_SESSION | CKF_SERIAL_SESSION);
module.C_Login(session, 0, officer);
module.C_InitPIN(session, pin);
process.exit(0);
`;

function pkcs11jsPath(): string {
  try {
    return createRequire(import.meta.url).resolve('pkcs11js');
  } catch {
    return 'pkcs11js';
  }
}
