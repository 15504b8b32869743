/** A flag of the command that started a node, without its dashes; without a value it is `true`. */
export interface GethFlag {
  readonly name: string;
  readonly value: string;
}

/** Flags that take no value unless it is written with `=`. Source: geth 1.10.3 and GoQuorum 24.4, `--help` */
const SWITCHES = new Set(
  `allow-insecure-unlock allow-unprotected-txs cache.noprefetch cache.preimages dev emitcheckpoints ethstats.insecure exitwhensynced
   fakepow goerli graphql http immutability-threshold.enable insecure-unlock-allowed ipcdisable les.dropoutlier lightkdf
   mainnet metrics metrics.expensive mine miner.noverify multitenancy nocompaction nodiscover nousb permissioned
   plugins.skipverify plugins.localverify pprof ptm.tls.insecureskipverify privacymarker.enable raft raftdnsenable rinkeby ropsten revertreason
   rpc rpc.allow-unprotected-txs snapshot snapshot.verify txpool.nolocals usb ws`
    .split(/\s+/)
    .filter((name) => name !== ''),
);

/** The flags of a command, in their order; other words, as the program and subcommands, are left out. */
export function gethFlags(words: readonly string[]): GethFlag[] {
  const flags: GethFlag[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const [, name, value] = /^--?([A-Za-z][A-Za-z0-9.-]*)(?:=(.*))?$/s.exec(words[at] ?? '') ?? [];
    if (name === undefined) continue;
    const next = words[at + 1];
    const takesNext = value === undefined && !SWITCHES.has(name) && next !== undefined && !isFlag(next);
    if (takesNext) at += 1;
    flags.push({ name, value: value ?? (takesNext ? next : 'true') });
  }
  return flags;
}

function isFlag(word: string): boolean {
  return /^--?[A-Za-z]/.test(word);
}
