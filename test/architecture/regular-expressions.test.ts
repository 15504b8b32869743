import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AST, parseRegExpLiteral, visitRegExpAST } from '@eslint-community/regexpp';
import { describe, expect, it } from '@jest/globals';
import { analyse } from 'scslre';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');

interface Expression {
  /** File and line. */
  readonly at: string;
  readonly pattern: RegExp;
}

/** Sources of the product, without generated ones and tests. */
function productFiles(): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'apps', 'libs'], {
    cwd: root,
    encoding: 'utf8',
  });
  return listed
    .split('\n')
    .filter((file) => /\.[cm]?[jt]s$/.test(file))
    .filter((file) => !/\.test\.ts$|\/test\/|\/jest\/|\/generated\//.test(file));
}

/** All regular expressions of a file, and the texts of those that are built at run time. */
function expressionsOf(file: string): { literals: Expression[]; built: string[] } {
  const text = readFileSync(join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const [literals, built]: [Expression[], string[]] = [[], []];
  const visit = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const pattern = new RegExp(node.text.slice(1, end), node.text.slice(end + 1).replace(/[gy]/g, ''));
      literals.push({ at: `${file}:${line}`, pattern });
    }
    const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
    if (isCall && node.expression.getText() === 'RegExp') built.push(`${file} ${node.getText()}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { literals, built };
}

const found = productFiles().map(expressionsOf);
const literals = found.flatMap((file) => file.literals);

/** The faults of an expression: it backtracks, or can match from each position of a run. */
function faultsOf({ source, flags }: RegExp): readonly string[] {
  return analyse({ source, flags }).reports.map(({ type, exponential }) =>
    exponential ? `${type}, exponential` : type,
  );
}

/**
 * Whether an expression can begin at each position of a text, match a run, and fail after it: that takes time quadratic
 * in the length of the run, unless the beginning of the expression cannot occur in the run.
 */
function mayRunFromAnywhere(pattern: RegExp): boolean {
  const { pattern: parsed, flags } = parseRegExpLiteral(pattern);
  return parsed.alternatives.some(({ elements }) => {
    const [first] = elements;
    if (first?.type === 'Assertion' && first.kind === 'start' && !flags.multiline) return false;
    const at = elements.findIndex(repeatsWithoutEnd);
    return at !== -1 && (at < elements.length - 1 || elements[at]?.type !== 'Quantifier');
  });
}

function repeatsWithoutEnd(element: AST.Element): boolean {
  let repeats = false;
  visitRegExpAST(element, { onQuantifierEnter: ({ max }) => void (repeats ||= max === Infinity) });
  return repeats;
}

/** Long runs of everything that the expression matches, followed by something that it does not match. */
function adversaries({ source }: RegExp): readonly string[] {
  const parts = new Set([
    ...source,
    ...' \t0aA[]{}()/:,.="\'\\',
    source,
    '[]',
    '[0]',
    '0x',
    'a.',
    'a:',
    '  a',
  ]);
  return [...parts].map((part) => `${part.repeat(Math.ceil(30_000 / part.length))}\0\n!`);
}

describe('the regular expressions of the product', () => {
  it('are found', () => {
    expect(literals.length).toBeGreaterThan(100);
  });

  it('take time linear in the text, whatever it is', () => {
    const faults = literals.flatMap(({ at, pattern }) =>
      faultsOf(pattern).map((fault) => `${at} ${pattern}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  it('can begin at one position of a text only, except those whose runs cannot contain another beginning', () => {
    const unanchored = literals.filter(({ pattern }) => mayRunFromAnywhere(pattern));
    expect(unanchored.map(({ at, pattern }) => `${at.split(':', 1)[0]} ${pattern.source}`)).toEqual([
      String.raw`apps/cli/src/new-network/write-node-folder.ts ^public key +(\S+)$`,
      // On Node's description of a file.
      'apps/wallet/src/commands/key-source.ts , .*$',
      'apps/wallet/src/commands/sign.ts , .*$',
      'apps/wallet/src/token-secret.ts , .*$',
      // On the output of our own commands.
      String.raw`libs/devnet/src/network/signer-token.ts ^address +(\S+)$`,
      // On the kernel's description of a process.
      String.raw`libs/embedded-postgres/src/leftover-server.ts ^Name:\s+postgres$`,
      String.raw`libs/embedded-postgres/src/leftover-server.ts ^State:\s+Z`,
      // On our own sources, when code and documents are generated.
      expect.stringContaining('libs/reference/src/served-methods.ts '),
      expect.stringContaining('libs/rollup/circuits/src/compile-circuit.ts '),
      // On migrations of this repository.
      String.raw`libs/schema/src/expand-only.ts \$\$[^$]*\$\$`,
      String.raw`libs/schema/src/expand-only.ts \b(?:TABLE|ON)(?: IF (?:NOT )?EXISTS| ONLY)? "?(\w+)"?`,
      expect.stringContaining('libs/schema/src/generate-clients.ts '),
      // Digits hold no colon.
      String.raw`libs/service/src/host-allow-list.ts :\d*$`,
      'libs/service/src/option-types.ts , .*$',
      // Neither spaces nor the end of a token hold the word before them.
      String.raw`libs/service/src/redact.ts \b(bearer\s+)[\w.~+/=-]+`,
    ]);
  });

  it('terminate on adversarial texts', () => {
    // A quadratic one needs minutes for one of the texts, an exponential one never ends.
    for (const { pattern } of literals) for (const text of adversaries(pattern)) pattern.test(text);
  });

  it('are written as literals, except those that are known to be equivalent', () => {
    expect(found.flatMap(({ built }) => built)).toEqual([
      // The operator's own, on origins of bounded length.
      'apps/signer/src/http/cors-rule.ts new RegExp(`^(?:${entry})$`)',
      'libs/api/rollup-operator/src/wire/values.ts new RegExp(`^(?:0x)?[0-9a-fA-F]{${2 * length}}$`)',
      // On our own sources, when documents are generated.
      expect.stringContaining('libs/reference/src/served-methods.ts new RegExp('),
      expect.stringContaining('libs/reference/src/served-methods.ts new RegExp('),
      expect.stringContaining('libs/rollup/chain/src/contract/generate-verifiers.ts new RegExp('),
      'libs/signer/transactions/src/audit/audit-log.ts new RegExp(`^[ -~]{0,${MAX_TEXT}}$`)',
    ]);
  });

  it.each([/(?:\[\d*\])+$/, /(\b[a-z][a-z.]*:\/)x/, /\/+$/])(
    'would not run from anywhere as %s',
    (pattern) => {
      expect(mayRunFromAnywhere(pattern)).toBe(true);
    },
  );

  it.each([/^(?:a+)+$/, /\s+$/, /^(\S.*?)\s+(\d+)$/, /\?.*$/, /\s*,\s*/])(
    'would not be %s without this being seen',
    (pattern) => {
      expect(faultsOf(pattern)).not.toEqual([]);
    },
  );
});
